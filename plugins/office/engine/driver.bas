REM Runs in a LibreOffice process: converts one document for the service.
REM
REM The process connects to the service, which sends one request: its length in 8 digits, and its lines
REM "section name type value". The sections are "source" and "result" (URLs), "load" and "export" (properties
REM of the import and export filter) and "do" (steps between them). Text is ASCII with \uXXXX. The answer is one
REM line: "done", or the reason of the failure.

Private channel As Object
Private request As String
Private password As String
Private passwordMode As Integer
Private stage As String

Sub Serve(pipeName As String)
  Dim document As Object, target As Object, filterName As String
  On Error Goto Failed
  stage = "start"
  Prepare
  channel = createUnoService("com.sun.star.connection.Connector").connect("pipe,name=" & pipeName)
  request = Receive(CLng(Receive(8)))
  stage = "load"
  passwordMode = -1
  password = TextOf("do", "password", "")
  document = LoadDocument()
  If IsNull(document) Then
    Answer("unreadable")
    Exit Sub
  End If
  stage = "prepare"
  filterName = ExportFilterOf(document)
  If filterName = "" Then
    Answer("unprintable")
    Exit Sub
  End If
  If TextOf("do", "indexes", "") = "true" Then UpdateIndexes(document)
  If TextOf("do", "landscape", "") <> "" Then Turn(document, TextOf("do", "landscape", "") = "true")
  KeepLinks(document)
  stage = "export"
  target = createUnoService("com.sun.star.ucb.SimpleFileAccess").openFileWrite(TextOf("result", "url", ""))
  document.storeToURL("private:stream", Array(Setting("FilterName", filterName), _
    Setting("OutputStream", target), Setting("FilterData", SettingsOf("export"))))
  target.closeOutput()
  Answer("done")
  Exit Sub
Failed:
  If Not IsNull(channel) Then Answer("failed " & stage & " " & Error$)
End Sub

REM Loads and exports an empty document, so that the first document finds fonts and filters ready.
Sub Prepare
  Dim document As Object, target As Object
  document = StarDesktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, Array(Setting("Hidden", True)))
  target = createUnoService("com.sun.star.io.Pipe")
  document.storeToURL("private:stream", Array(Setting("FilterName", "writer_pdf_Export"), Setting("OutputStream", target)))
  document.close(True)
End Sub

Function LoadDocument() As Object
  Dim settings(), count As Long
  settings = SettingsOf("load")
  count = UBound(settings) + 1
  ReDim Preserve settings(count + 3)
  settings(count) = Setting("Hidden", True)
  REM com.sun.star.document.MacroExecMode.NEVER_EXECUTE, and UpdateDocMode.NO_UPDATE.
  settings(count + 1) = Setting("MacroExecutionMode", 0)
  settings(count + 2) = Setting("UpdateDocMode", 0)
  settings(count + 3) = Setting("InteractionHandler", CreateUnoListener("Asked_", "com.sun.star.task.XInteractionHandler"))
  LoadDocument = StarDesktop.loadComponentFromURL(TextOf("source", "url", ""), "_blank", 0, settings)
End Function

REM Answers a question of an import filter: the password once, and everything else with "no".
Sub Asked_handle(question As Object)
  Dim details As Variant, choices As Variant, choice As Object, i As Integer, mode As Integer
  On Error Resume Next
  details = question.getRequest()
  mode = -1
  mode = details.Mode
  choices = question.getContinuations()
  If mode >= 0 Then passwordMode = mode
  For i = LBound(choices) To UBound(choices)
    choice = choices(i)
    If mode = 1 And password <> "" And HasUnoInterfaces(choice, "com.sun.star.task.XInteractionPassword") Then
      choice.setPassword(password)
      choice.select()
      Exit Sub
    End If
  Next
  For i = LBound(choices) To UBound(choices)
    choice = choices(i)
    If HasUnoInterfaces(choice, "com.sun.star.task.XInteractionAbort") Then
      choice.select()
      Exit Sub
    End If
  Next
  For i = LBound(choices) To UBound(choices)
    choice = choices(i)
    If HasUnoInterfaces(choice, "com.sun.star.task.XInteractionApprove") Then choice.select()
  Next
End Sub

Function ExportFilterOf(document As Object) As String
  ExportFilterOf = ""
  If document.supportsService("com.sun.star.sheet.SpreadsheetDocument") Then
    ExportFilterOf = "calc_pdf_Export"
  ElseIf document.supportsService("com.sun.star.presentation.PresentationDocument") Then
    ExportFilterOf = "impress_pdf_Export"
  ElseIf document.supportsService("com.sun.star.drawing.DrawingDocument") Then
    ExportFilterOf = "draw_pdf_Export"
  ElseIf document.supportsService("com.sun.star.formula.FormulaProperties") Then
    ExportFilterOf = "math_pdf_Export"
  ElseIf document.supportsService("com.sun.star.text.WebDocument") Then
    ExportFilterOf = "writer_web_pdf_Export"
  ElseIf document.supportsService("com.sun.star.text.GlobalDocument") Then
    ExportFilterOf = "writer_globaldocument_pdf_Export"
  ElseIf document.supportsService("com.sun.star.text.GenericTextDocument") Then
    ExportFilterOf = "writer_pdf_Export"
  End If
End Function

Sub UpdateIndexes(document As Object)
  Dim indexes As Object, i As Long
  If Not HasUnoInterfaces(document, "com.sun.star.text.XDocumentIndexesSupplier") Then Exit Sub
  indexes = document.getDocumentIndexes()
  For i = 0 To indexes.getCount() - 1
    indexes.getByIndex(i).update()
  Next
End Sub

REM LibreOffice exports a link of a text only if it has a character style of its own, so links without one get an
REM empty style, which does not change their look.
Sub KeepLinks(document As Object)
  Dim search As Object, found As Object, link As Object, i As Long, isStyled As Boolean
  If Not HasUnoInterfaces(document, "com.sun.star.util.XSearchable") Then Exit Sub
  If Not document.supportsService("com.sun.star.text.GenericTextDocument") Then Exit Sub
  search = document.createSearchDescriptor()
  search.SearchString = ""
  REM Finds the attribute with any value.
  search.ValueSearch = False
  search.setSearchAttributes(Array(Setting("HyperLinkURL", "")))
  found = document.findAll(search)
  If IsNull(found) Then Exit Sub
  For i = 0 To found.getCount() - 1
    link = found.getByIndex(i)
    If link.UnvisitedCharStyleName = "" Or link.UnvisitedCharStyleName = "Default Style" Then
      If Not isStyled Then
        document.getStyleFamilies().getByName("CharacterStyles").insertByName( _
          "Platen link", document.createInstance("com.sun.star.style.CharacterStyle"))
        isStyled = True
      End If
      link.UnvisitedCharStyleName = "Platen link"
      link.VisitedCharStyleName = "Platen link"
    End If
  Next
End Sub

REM Turns the pages of a text or a spreadsheet. Slides and drawings keep their shape.
Sub Turn(document As Object, landscape As Boolean)
  Dim styles As Object, style As Object, i As Long, width As Long, height As Long
  If document.supportsService("com.sun.star.drawing.GenericDrawingDocument") Then Exit Sub
  styles = document.getStyleFamilies().getByName("PageStyles")
  For i = 0 To styles.getCount() - 1
    style = styles.getByIndex(i)
    width = style.Width
    height = style.Height
    style.IsLandscape = landscape
    If (width > height) <> landscape Then
      style.Width = height
      style.Height = width
    End If
  Next
End Sub

Function Setting(key As String, value As Variant) As Object
  Dim made As New com.sun.star.beans.PropertyValue
  made.Name = key
  made.Value = value
  Setting = made
End Function

REM Returns the properties of a section of the request.
Function SettingsOf(section As String) As Variant
  Dim lines, parts, settings(), i As Long, count As Long
  lines = Split(request, Chr(10))
  count = 0
  For i = LBound(lines) To UBound(lines)
    parts = Split(lines(i), " ", 4)
    If UBound(parts) = 3 Then
      If parts(0) = section Then
        ReDim Preserve settings(count)
        settings(count) = Setting(parts(1), ValueOf(parts(2), parts(3)))
        count = count + 1
      End If
    End If
  Next
  SettingsOf = settings
End Function

Function TextOf(section As String, key As String, missing As String) As String
  Dim lines, parts, i As Long
  TextOf = missing
  lines = Split(request, Chr(10))
  For i = LBound(lines) To UBound(lines)
    parts = Split(lines(i), " ", 4)
    If UBound(parts) = 3 Then
      If parts(0) = section And parts(1) = key Then TextOf = ValueOf("text", parts(3))
    End If
  Next
End Function

Function ValueOf(kind As String, source As String) As Variant
  Select Case kind
    Case "boolean"
      ValueOf = (source = "true")
    Case "number"
      ValueOf = CLng(source)
    Case Else
      ValueOf = Unescape(source)
  End Select
End Function

Function Unescape(source As String) As String
  Dim at As Long, done As Long, code As Long, made As String
  done = 1
  at = InStr(done, source, "\u")
  Do While at > 0
    code = CLng("&H" & Mid(source, at + 2, 4))
    If code < 0 Then code = code + 65536
    made = made & Mid(source, done, at - done) & Chr(code)
    done = at + 6
    at = InStr(done, source, "\u")
  Loop
  Unescape = made & Mid(source, done)
End Function

Function Receive(count As Long) As String
  Dim bytes(), received As Long, i As Long, made As String
  received = channel.read(bytes, count)
  For i = 0 To received - 1
    made = made & Chr(bytes(i) And 255)
  Next
  Receive = made
End Function

REM Sends one line, at most 500 characters of ASCII.
Sub Answer(text As String)
  Dim line As String, i As Long, code As Long
  line = Left(text, 400)
  If passwordMode >= 0 And text <> "done" Then line = "password " & passwordMode & " " & line
  Dim bytes(Len(line)) As Integer
  For i = 1 To Len(line)
    code = Asc(Mid(line, i, 1))
    If code < 32 Or code > 126 Then code = 32
    bytes(i - 1) = code
  Next
  bytes(Len(line)) = 10
  channel.write(bytes)
  channel.flush()
End Sub
