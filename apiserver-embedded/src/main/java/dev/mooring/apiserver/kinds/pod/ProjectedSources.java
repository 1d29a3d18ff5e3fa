package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import dev.mooring.apiserver.kinds.rules.VolumePaths;
import java.util.List;
import java.util.Set;

final class ProjectedSources {
  private static final long SHORTEST_TOKEN = 600;
  private static final long LONGEST_TOKEN = 1L << 32;
  private static final List<String> POD_FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.labels",
          "metadata.annotations",
          "metadata.uid");
  private static final List<String> ENV_FIELDS =
      List.of(
          """
          metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName
          status.hostIP status.hostIPs status.podIP status.podIPs
          """
              .split("\\s+"));
  private static final Set<String> KNOWN_FIELDS =
      Set.of(
          """
          metadata.annotations metadata.labels metadata.name metadata.namespace metadata.uid
          spec.nodeName spec.restartPolicy spec.serviceAccountName spec.schedulerName
          status.phase status.hostIP status.hostIPs status.podIP status.podIPs spec.host
          """
              .split("\\s+"));

  private ProjectedSources() {}

  static void validateFiles(ValidatedObject source, String name) {
    source.requireMembers(name);
    source.checkFileMode("defaultMode");
    source.each("items", ProjectedSources::validateItem);
  }

  private static void validateItem(ValidatedObject item) {
    item.requireMembers("key", "path");
    item.checkNotReserved("path");
    item.checkFileMode("mode");
  }

  static void validateDownwardApi(ValidatedObject source) {
    source.checkFileMode("defaultMode");
    source.each("items", item -> validateDownwardFile(item.atPath(source.field())));
  }

  private static void validateDownwardFile(ValidatedObject file) {
    file.requireMembers("path");
    file.checkNotReserved("path");
    if (file.has("fieldRef")) {
      validatePodField(file.child("fieldRef"), POD_FIELDS);
    }
    file.checkFileMode("mode");
  }

  static void validateEnvironmentField(ValidatedObject reference) {
    validatePodField(reference, ENV_FIELDS);
  }

  private static void validatePodField(ValidatedObject reference, List<String> possible) {
    if (reference.isEmpty("fieldPath")) {
      reference.addRequired("fieldPath", "");
      return;
    }
    String path = reference.text("fieldPath");
    boolean subscripted = path.endsWith("']") && path.contains("['");
    String plain = subscripted ? path.substring(0, path.indexOf("['")) : path;
    boolean mapped = List.of("metadata.annotations", "metadata.labels").contains(plain);
    if (!reference.text("apiVersion").equals("v1")
        || !KNOWN_FIELDS.contains(plain)
        || subscripted && !mapped) {
      reference.addInvalid(
          "fieldPath", "error converting fieldPath: field label not supported: " + path);
    } else if (!subscripted && !possible.contains(plain)) {
      reference.addNotSupported("fieldPath", plain, possible);
    }
  }

  static void validateProjected(ValidatedObject source) {
    source.checkFileMode("defaultMode");
    source.each(
        "sources",
        part -> part.ifPresent("serviceAccountToken", token -> validateToken(token, source)));
  }

  private static void validateToken(ValidatedObject token, ValidatedObject volume) {
    if (token.has("expirationSeconds")) {
      if (token.number("expirationSeconds") < SHORTEST_TOKEN) {
        token.addInvalid("expirationSeconds", "may not specify a duration less than 10 minutes");
      }
      if (token.number("expirationSeconds") > LONGEST_TOKEN) {
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
}
