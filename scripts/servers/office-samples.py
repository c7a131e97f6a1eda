# Makes ten workbooks with XlsxWriter, each with other features, in the given folder.
import datetime
import os
import sys

import xlsxwriter

folder = os.path.join(sys.argv[1], "xlsx")
os.makedirs(folder, exist_ok=True)
DAY = datetime.datetime(2026, 11, 22)


def workbook(name):
    book = xlsxwriter.Workbook(os.path.join(folder, name + ".xlsx"))
    book.set_properties({"created": DAY})
    return book, book.add_worksheet("First")


book, sheet = workbook("numbers")
for row, form in enumerate(["0.00", "#,##0 €", "0%", "0.0E+00", "yyyy-mm-dd", "[Red]-0;0", "# ?/?"]):
    sheet.write(row, 0, form)
    sheet.write(row, 1, 1234.5678 - 2000 * (row == 5), book.add_format({"num_format": form}))
book.close()

book, sheet = workbook("formulas")
for row in range(20):
    sheet.write(row, 0, row * 1.5)
sheet.write_formula("B1", "=SUM(A1:A20)", None, 285)
sheet.write_formula("B2", '=IF(B1>100,"many","few")', None, "many")
book.close()

book, sheet = workbook("styles")
for row, colour in enumerate(["red", "#00AA88", "navy", "#FFCC00"]):
    style = {"bg_color": colour, "bold": row % 2, "italic": row > 1, "border": row + 1, "font_size": 10 + 4 * row}
    sheet.write(row, row, "Styled " + colour, book.add_format(style))
    sheet.set_row(row, 20 + 10 * row)
book.close()

book, sheet = workbook("merged")
sheet.merge_range("A1:D2", "Merged title", book.add_format({"align": "center", "valign": "vcenter", "border": 2}))
sheet.write("A4", "A long text that wraps within its cell", book.add_format({"text_wrap": True}))
sheet.set_column("A:A", 14)
book.close()

book, sheet = workbook("sheets")
for name in ["Second", "Third"]:
    book.add_worksheet(name).write("B2", "Content of " + name)
sheet.write("A1", "Content of First")
book.close()

for name, kind in [("columns", "column"), ("lines", "line"), ("pie", "pie")]:
    book, sheet = workbook("chart-" + name)
    sheet.write_column("A1", ["North", "South", "East"])
    sheet.write_column("B1", [10, 40, 25])
    chart = book.add_chart({"type": kind})
    chart.add_series({"categories": "=First!$A$1:$A$3", "values": "=First!$B$1:$B$3"})
    sheet.insert_chart("D2", chart)
    book.close()

book, sheet = workbook("pages")
sheet.set_landscape()
sheet.set_paper(9)
sheet.repeat_rows(0)
sheet.set_header("&CReport")
sheet.set_footer("&RPage &P of &N")
for row in range(120):
    sheet.write_row(row, 0, ["Row %d" % row, row, row * row])
book.close()

book, sheet = workbook("conditions")
for row in range(10):
    sheet.write(row, 0, row)
    sheet.write_url(row, 2, "https://example.com/%d" % row, string="Link %d" % row)
sheet.conditional_format("A1:A10", {"type": "3_color_scale"})
sheet.conditional_format("A1:A10", {"type": "cell", "criteria": ">", "value": 5, "format": book.add_format({"bold": 1})})
book.close()
