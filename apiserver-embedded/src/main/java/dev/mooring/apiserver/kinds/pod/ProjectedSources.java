package dev.mooring.apiserver.kinds.pod;

import com.google.gson.JsonElement;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import dev.mooring.apiserver.kinds.rules.VolumePaths;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

final class ProjectedSources {
  private static final long MIN_TOKEN_SECONDS = 600;
  private static final long MAX_TOKEN_SECONDS = 1L << 32;
  private static final List<String> POD_FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.labels",
          "metadata.annotations",
          "metadata.uid");
  private static final List<String> ENV_FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  private static final Set<String> KNOWN_FIELDS =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.serviceAccountName",
          "spec.schedulerName",
          "status.phase",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs",
          "spec.host");
  private static final List<String> CONTAINER_AMOUNTS =
      List.of(
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage");
  private static final List<String> BYTE_DIVISORS =
      List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private ProjectedSources() {}

  static void validateFiles(ValidatedObject source, String name) {
    source.requireMembers(name);
    source.checkFileMode("defaultMode");
    source.forEachChild("items", ProjectedSources::validateItem);
  }

  private static void validateItem(ValidatedObject item) {
    item.requireMembers("key", "path");
    item.checkNotReserved("path");
    item.checkFileMode("mode");
  }

  static void validateDownwardApi(ValidatedObject source) {
    source.checkFileMode("defaultMode");
    source.forEachChild("items", item -> validateDownwardFile(item.atPath(source.field())));
  }

  private static void validateDownwardFile(ValidatedObject file) {
    file.requireMembers("path");
    file.checkNotReserved("path");
    if (file.has("fieldRef")) {
      validatePodField(file.getChild("fieldRef"), POD_FIELDS);
      if (file.has("resourceFieldRef")) {
        file.addSelfInvalid(
            "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (file.has("resourceFieldRef")) {
      validateContainerAmount(file.getChild("resourceFieldRef"), true);
    } else {
      file.addSelfRequired("one of fieldRef and resourceFieldRef is required");
    }
    file.checkFileMode("mode");
  }

  static void validateEnvironmentField(ValidatedObject reference) {
    validatePodField(reference, ENV_FIELDS);
  }

  private static void validatePodField(ValidatedObject reference, List<String> supported) {
    if (reference.isEmpty("fieldPath")) {
      reference.addRequired("fieldPath", "");
      return;
    }
    String path = reference.text("fieldPath");
    boolean isSubscripted = path.endsWith("']") && path.contains("['");
    String field = isSubscripted ? path.substring(0, path.indexOf("['")) : path;
    boolean isMap = List.of("metadata.annotations", "metadata.labels").contains(field);
    if (!reference.text("apiVersion").equals("v1")
        || !KNOWN_FIELDS.contains(field)
        || isSubscripted && !isMap) {
      reference.addInvalid(
          "fieldPath", "error converting fieldPath: field label not supported: " + path);
    } else if (isSubscripted) {
      String key = path.substring(path.indexOf("['") + 2, path.length() - 2);
      boolean isCaseInsensitive = field.equals("metadata.annotations");
      ObjectNames.validateQualifiedName(
          isCaseInsensitive ? key.toLowerCase(Locale.ROOT) : key,
          reference.field(),
          reference.errors());
    } else if (!supported.contains(field)) {
      reference.addNotSupported("fieldPath", field, supported);
    }
  }

  static void validateContainerAmount(ValidatedObject reference, boolean isVolume) {
    String amount = reference.text("resource");
    boolean isHugePages =
        amount.startsWith("requests.hugepages-") || amount.startsWith("limits.hugepages-");
    if (isVolume && reference.isEmpty("containerName")) {
      reference.addRequired("containerName", "");
    } else if (amount.isEmpty()) {
      reference.addRequired("resource", "");
    } else if (!CONTAINER_AMOUNTS.contains(amount) && !isHugePages) {
      reference.checkOneOf("resource", CONTAINER_AMOUNTS.toArray(String[]::new));
    }
    JsonElement divisor = reference.value("divisor");
    if (divisor == null || divisor.getAsString().equals("0")) {
      return;
    }
    List<String> divisors =
        amount.endsWith(".cpu") && CONTAINER_AMOUNTS.contains(amount)
            ? List.of("1m", "1")
            : CONTAINER_AMOUNTS.contains(amount) || isHugePages
                ? BYTE_DIVISORS
                : List.of(divisor.getAsString());
    if (!divisors.contains(divisor.getAsString())) {
      reference.addInvalid("divisor", amount, "only " + divisors);
    }
  }

  static void validateProjected(ValidatedObject projected) {
    projected.checkFileMode("defaultMode");
    Set<String> paths = new HashSet<>();
    for (ValidatedObject source : projected.getChildren("sources")) {
      int sourceCount = 0;
      for (String kind : List.of("secret", "configMap")) {
        if (source.has(kind)) {
          sourceCount++;
          validateMappedItems(source.getChild(kind), projected, paths);
        }
      }
      if (source.has("downwardAPI")) {
        sourceCount++;
        ValidatedObject fields = source.getChild("downwardAPI");
        fields.forEachChild(
            "items",
            item -> {
              validateDownwardFile(item.atPath(fields.field()));
              requireUnique(projected, item.text("path"), item.text("path"), paths);
            });
      }
      if (source.has("serviceAccountToken")) {
        sourceCount++;
        validateToken(source.getChild("serviceAccountToken"), projected);
      }
      if (source.has("clusterTrustBundle")) {
        sourceCount++;
        validateBundle(source.getChild("clusterTrustBundle"), projected, paths);
      }
      if (sourceCount > 1) {
        source
            .errors()
            .addForbidden(source.field(), "may not specify more than 1 volume type per source");
      }
    }
  }

  private static void validateMappedItems(
      ValidatedObject source, ValidatedObject volume, Set<String> paths) {
    source.requireMembers("name");
    source.forEachChild(
        "items",
        item -> {
          validateItem(item);
          requireUnique(volume, item.text("path"), source.text("name"), paths);
        });
  }

  private static void requireUnique(
      ValidatedObject volume, String path, String reportedPath, Set<String> paths) {
    if (!path.isEmpty() && !paths.add(path)) {
      volume.addSelfInvalid(reportedPath, "conflicting duplicate paths");
    }
  }

  private static void validateToken(ValidatedObject token, ValidatedObject volume) {
    if (token.has("expirationSeconds")) {
      if (token.number("expirationSeconds") < MIN_TOKEN_SECONDS) {
        token.addInvalid("expirationSeconds", "may not specify a duration less than 10 minutes");
      }
      if (token.number("expirationSeconds") > MAX_TOKEN_SECONDS) {
        token.addInvalid(
            "expirationSeconds", "may not specify a duration larger than 2^32 seconds");
      }
    }
    if (token.isEmpty("path")) {
      volume.addRequired("path", "");
    } else {
      VolumePaths.rejectReserved(token.text("path"), volume.path("path"), volume.errors());
    }
  }

  private static void validateBundle(
      ValidatedObject bundle, ValidatedObject volume, Set<String> paths) {
    if (bundle.has("name") && bundle.has("signerName")) {
      bundle.addSelfInvalid(bundle.object(), "only one of name and signerName may be used");
    } else if (bundle.has("name")) {
      if (bundle.isEmpty("name")) {
        bundle.addRequired("name", "must be a valid object name");
      }
      if (!ObjectNames.isSubdomain(bundle.text("name"))) {
        bundle.addInvalid("name", "not a valid clustertrustbundlename");
      }
      if (bundle.has("labelSelector")) {
        bundle.addInvalid("labelSelector", "labelSelector must be unset if name is specified");
      }
    } else if (bundle.has("signerName")) {
      if (bundle.isEmpty("signerName")) {
        bundle.addRequired("signerName", "must be a valid signer name");
      }
      LabelSelectors.validate(bundle, "labelSelector");
    } else {
      bundle.addSelfRequired("either name or signerName must be specified");
    }
    bundle.requireMembers("path");
    bundle.checkNotReserved("path");
    if (!paths.add(bundle.text("path"))) {
      volume.addSelfInvalid(bundle.text("path"), "conflicting duplicate paths");
    }
  }
}
