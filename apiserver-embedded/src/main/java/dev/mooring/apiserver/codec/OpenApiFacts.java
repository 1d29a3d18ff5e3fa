package dev.mooring.apiserver.codec;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Description of a message in OpenAPI beside its fields, from {@code openapi-models.txt}.
 *
 * @param modelName the name of the model
 * @param required the fields that an object must have
 */
public record OpenApiFacts(
    String modelName,
    List<String> required,
    Map<String, List<String>> enumerations,
    Map<String, JsonElement> defaults) {
  private static final Map<String, String> LINES =
      TableFile.read(OpenApiFacts.class, "openapi-models.txt");
  private static final Map<String, String> PACKAGES =
      Map.of(
          "meta", "io.k8s.apimachinery.pkg.apis.",
          "apiextensions", "io.k8s.apiextensions-apiserver.pkg.apis.",
          "apiregistration", "io.k8s.kube-aggregator.pkg.apis.");

  public static OpenApiFacts of(String message) {
    String line = Objects.requireNonNull(LINES.get(message), message);
    String[] terms = line.split(", ");
    List<String> required = List.of();
    Map<String, List<String>> enumerations = new HashMap<>();
    Map<String, JsonElement> defaults = new HashMap<>();
    for (String term : List.of(terms).subList(1, terms.length)) {
      int equals = term.indexOf('=');
      int colon = term.indexOf(':');
      if (colon >= 0 && (equals < 0 || colon < equals)) {
        defaults.put(term.substring(0, colon), JsonParser.parseString(term.substring(colon + 1)));
      } else if (term.startsWith("required=")) {
        required = List.of(term.substring(equals + 1).split("\\+"));
      } else {
        enumerations.put(
            term.substring(0, equals), List.of(term.substring(equals + 1).split("\\|", -1)));
      }
    }
    return new OpenApiFacts(makeName(message, terms[0]), required, enumerations, defaults);
  }

  private static String makeName(String message, String packageName) {
    String group = packageName.substring(0, packageName.indexOf('.'));
    boolean hasOwnName = packageName.indexOf('.') != packageName.lastIndexOf('.');
    return PACKAGES.getOrDefault(group, "io.k8s.api.")
        + packageName
        + (hasOwnName ? "" : "." + message);
  }

  /** Returns the values that the elements of a list field can have; null for any. */
  public @Nullable List<String> findElementValues(String field) {
    return enumerations.get(field + "[]");
  }
}
