import com.helger.diver.api.coord.DVRCoordinate;
import com.helger.io.resource.FileSystemResource;
import com.helger.phive.api.execute.ValidationExecutionManager;
import com.helger.phive.api.executorset.ValidationExecutorSetRegistry;
import com.helger.phive.api.result.ValidationResultList;
import com.helger.phive.api.validity.IValidityDeterminator;
import com.helger.phive.en16931.EN16931Validation;
import com.helger.phive.xml.source.IValidationSourceXML;
import com.helger.phive.xml.source.ValidationSourceXML;
import java.io.File;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Locale;

/**
 * Validates each .xml file of a folder by the XML schema of UBL 2.1 and the rules of EN 16931. Prints one line for each: "valid NAME", or
 * "invalid NAME" with the rules that it breaks, warnings included.
 */
public class Validate {
  public static void main(String[] args) throws Exception {
    // The validators log each file at length.
    System.setErr(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    var registry = new ValidationExecutorSetRegistry<IValidationSourceXML>();
    EN16931Validation.initEN16931(registry);
    File[] files = new File(args[0]).listFiles((folder, name) -> name.endsWith(".xml"));
    Arrays.sort(files);
    for (File file : files) System.out.println(validated(registry, file));
  }

  private static String validated(
      ValidationExecutorSetRegistry<IValidationSourceXML> registry, File file) throws Exception {
    boolean isCreditNote = Files.readString(file.toPath()).contains("<CreditNote ");
    DVRCoordinate rules =
        isCreditNote
            ? EN16931Validation.VID_UBL_CREDIT_NOTE_1316
            : EN16931Validation.VID_UBL_INVOICE_1316;
    ValidationResultList results =
        ValidationExecutionManager.executeValidation(
            IValidityDeterminator.createDefault(),
            registry.getOfID(rules),
            ValidationSourceXML.create(new FileSystemResource(file)),
            Locale.ENGLISH);
    var faults = results.getAllFailures();
    if (results.size() == 2 && faults.isEmpty()) return "valid " + file.getName();
    var text = new StringBuilder("invalid " + file.getName() + " (" + results.size() + " layers)");
    faults.forEach(
        fault -> text.append(" | ").append(fault.getErrorText(Locale.ENGLISH).replaceAll("\\s+", " ")));
    return text.toString();
  }
}
