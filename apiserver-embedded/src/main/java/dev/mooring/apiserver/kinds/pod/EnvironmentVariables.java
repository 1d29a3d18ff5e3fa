package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import java.util.regex.Pattern;

final class EnvironmentVariables {
  private static final Pattern VARIABLE = Pattern.compile("[ -<>-~]+");

  private EnvironmentVariables() {}

  private static void validateName(ValidatedObject place, String field) {
    if (!VARIABLE.matcher(place.text(field)).matches()) {
      place.addInvalid(
          field,
          "a valid environment variable name must consist only of printable ASCII characters other than '='");
    }
  }

  static void validateVariable(ValidatedObject variable) {
    variable.requireMembers("name");
    if (!variable.isEmpty("name")) {
      validateName(variable, "name");
    }
    if (!variable.has("valueFrom")) {
      return;
    }
    ValidatedObject from = variable.child("valueFrom");
    from.ifPresent("fieldRef", ProjectedSources::validateEnvironmentField);
    from.ifPresent("resourceFieldRef", r -> ProjectedSources.validateContainerAmount(r, false));
    from.ifPresent("configMapKeyRef", EnvironmentVariables::validateKeyReference);
    from.ifPresent("secretKeyRef", EnvironmentVariables::validateKeyReference);
    from.ifPresent("fileKeyRef", EnvironmentVariables::validateFileReference);
    int sources = from.object().size();
    String wrong =
        sources == 0
            ? "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
            : !variable.isEmpty("value")
                ? "may not be specified when `value` is not empty"
                : sources > 1 ? "may not have more than one field specified at a time" : "";
    if (!wrong.isEmpty()) {
      from.addSelfInvalid("", wrong);
    }
  }

  private static void validateKeyReference(ValidatedObject reference) {
    reference.requireSubdomain("name");
    reference.requireMembers("key");
    if (!reference.isEmpty("key")) {
      ObjectNames.validateConfigKey(
          reference.text("key"), reference.path("key"), reference.errors());
    }
  }

  private static void validateFileReference(ValidatedObject reference) {
    reference.requireMembers("key", "volumeName", "path");
    if (!reference.isEmpty("key")) {
      validateName(reference, "key");
    }
    reference.checkLabel("volumeName");
    reference.checkNoBacksteps("path");
  }

  static void validateSource(ValidatedObject from, String list) {
    if (!from.isEmpty("prefix")) {
      validateName(from, "prefix");
    }
    int sources = 0;
    for (String kind : List.of("configMapRef", "secretRef")) {
      if (from.has(kind)) {
        sources++;
        ValidatedObject source = from.child(kind);
        source.requireMembers("name");
        source.checkSubdomain("name");
      }
    }
    if (sources != 1) {
      from.errors()
          .addInvalid(
              list,
              "",
              sources == 0
                  ? "must specify one of: `configMapRef` or `secretRef`"
                  : "may not have more than one field specified at a time");
    }
  }
}
