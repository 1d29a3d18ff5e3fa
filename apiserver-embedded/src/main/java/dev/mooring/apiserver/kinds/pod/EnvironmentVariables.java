package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import java.util.regex.Pattern;

final class EnvironmentVariables {
  private static final Pattern VARIABLE_NAME = Pattern.compile("[ -<>-~]+");

  private EnvironmentVariables() {}

  private static void validateName(ValidatedObject object, String field) {
    if (!VARIABLE_NAME.matcher(object.text(field)).matches()) {
      object.addInvalid(
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
    ValidatedObject source = variable.getChild("valueFrom");
    source.ifPresent("fieldRef", ProjectedSources::validateEnvironmentField);
    source.ifPresent("resourceFieldRef", r -> ProjectedSources.validateContainerAmount(r, false));
    source.ifPresent("configMapKeyRef", EnvironmentVariables::validateKeyReference);
    source.ifPresent("secretKeyRef", EnvironmentVariables::validateKeyReference);
    source.ifPresent("fileKeyRef", EnvironmentVariables::validateFileReference);
    int sources = source.object().size();
    String error =
        sources == 0
            ? "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
            : !variable.isEmpty("value")
                ? "may not be specified when `value` is not empty"
                : sources > 1 ? "may not have more than one field specified at a time" : "";
    if (!error.isEmpty()) {
      source.addSelfInvalid("", error);
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

  static void validateSource(ValidatedObject envFrom, String listPath) {
    if (!envFrom.isEmpty("prefix")) {
      validateName(envFrom, "prefix");
    }
    int sources = 0;
    for (String kind : List.of("configMapRef", "secretRef")) {
      if (envFrom.has(kind)) {
        sources++;
        ValidatedObject source = envFrom.getChild(kind);
        source.requireMembers("name");
        source.checkSubdomain("name");
      }
    }
    if (sources != 1) {
      envFrom
          .errors()
          .addInvalid(
              listPath,
              "",
              sources == 0
                  ? "must specify one of: `configMapRef` or `secretRef`"
                  : "may not have more than one field specified at a time");
    }
  }
}
