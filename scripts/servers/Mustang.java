import org.mustangproject.validator.ZUGFeRDValidator;

/** Validates electronic invoices, PDF or XML. Prints a line with the path of each file, and its report. Java starts only once for all files. */
class Mustang {
  public static void main(String[] files) {
    for (String file : files) {
      var validator = new ZUGFeRDValidator();
      validator.disableNotices();
      System.out.println("FILE " + file);
      System.out.println(validator.validate(file));
    }
  }
}
