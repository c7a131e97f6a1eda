import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.Calendar;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.ExternalSigningSupport;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;

/**
 * Writes incremental updates with PDFBox. `sign IN OUT` adds a signature whose value is empty; `fill IN OUT FIELD VALUE` fills in a field.
 */
public class PdfBoxUpdates {
  public static void main(String[] args) throws Exception {
    try (PDDocument document = Loader.loadPDF(new File(args[1]));
        OutputStream out = new FileOutputStream(args[2])) {
      if (args[0].equals("sign")) sign(document, out);
      else fill(document, out, args[3], args[4]);
    }
  }

  private static void sign(PDDocument document, OutputStream out) throws Exception {
    PDSignature signature = new PDSignature();
    signature.setFilter(PDSignature.FILTER_ADOBE_PPKLITE);
    signature.setSubFilter(PDSignature.SUBFILTER_ETSI_CADES_DETACHED);
    signature.setName("Ada");
    signature.setSignDate(Calendar.getInstance());
    document.addSignature(signature);
    ExternalSigningSupport support = document.saveIncrementalForExternalSigning(out);
    support.setSignature(new byte[0]);
  }

  private static void fill(PDDocument document, OutputStream out, String field, String value) throws Exception {
    PDAcroForm form = document.getDocumentCatalog().getAcroForm();
    form.getField(field).setValue(value);
    form.getCOSObject().setNeedToBeUpdated(true);
    document.saveIncremental(out);
  }
}
