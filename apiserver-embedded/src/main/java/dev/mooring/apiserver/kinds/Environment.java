package dev.mooring.apiserver.kinds;

import java.util.List;
import java.util.regex.Pattern;

/** What is wrong with the environment of containers. */
final class Environment {
  private static final Pattern VARIABLE = Pattern.compile("[ -<>-~]+");

  private Environment() {}

  private static void variableName(Place place, String field) {
    if (!VARIABLE.matcher(place.text(field)).matches()) {
      place.invalid(
          field,
          "a valid environment variable name must consist only of printable ASCII characters other than '='");
    }
  }

  static void variable(Place variable) {
    variable.need("name");
    if (!variable.isEmpty("name")) {
      variableName(variable, "name");
    }
    if (!variable.has("valueFrom")) {
      return;
    }
    Place from = variable.in("valueFrom");
    from.given("fieldRef", Projections::environmentField);
    from.given("resourceFieldRef", r -> Projections.containerAmount(r, false));
    from.given("configMapKeyRef", Environment::key);
    from.given("secretKeyRef", Environment::key);
    from.given("fileKeyRef", Environment::fileKey);
    int sources = from.object().size();
    String wrong =
        sources == 0
            ? "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
            : !variable.isEmpty("value")
                ? "may not be specified when `value` is not empty"
                : sources > 1 ? "may not have more than one field specified at a time" : "";
    if (!wrong.isEmpty()) {
      from.errors().invalid(from.field(), "", wrong);
    }
  }

  private static void key(Place reference) {
    ObjectNames.subdomain(reference.text("name"), reference.path("name"), reference.errors());
    reference.need("key");
    if (!reference.isEmpty("key")) {
      ObjectNames.configKey(reference.text("key"), reference.path("key"), reference.errors());
    }
  }

  private static void fileKey(Place reference) {
    reference.need("key", "volumeName", "path");
    if (!reference.isEmpty("key")) {
      variableName(reference, "key");
    }
    reference.label("volumeName");
    reference.noBacksteps("path");
  }

  static void variables(Place from, String list) {
    if (!from.isEmpty("prefix")) {
      variableName(from, "prefix");
    }
    int sources = 0;
    for (String kind : List.of("configMapRef", "secretRef")) {
      if (from.has(kind)) {
        sources++;
        Place source = from.in(kind);
        source.need("name");
        source.subdomain("name");
      }
    }
    if (sources != 1) {
      from.errors()
          .invalid(
              list,
              "",
              sources == 0
                  ? "must specify one of: `configMapRef` or `secretRef`"
                  : "may not have more than one field specified at a time");
    }
  }
}
