package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentKind;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.execute.DriverSnapshots.ClassFacts;
import dev.mooring.csi.execute.DriverSnapshots.CreationRequest;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.storage.decide.DriverNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Computes the parameters and Secrets of snapshot requests. Thread-safe.
 *
 * @param names computes the names at the driver
 * @param extraMetadata whether requests contain the names of Kubernetes' objects
 */
public record ContentRequests(
    DriverSnapshots snapshots, DriverNames names, boolean extraMetadata, LiveReader reader) {
  private static final String METADATA_PREFIX = "csi.storage.k8s.io/";

  CheckResult<CreationRequest> buildCreation(ContentView content) throws InterruptedException {
    ContentKind kind = content.kind();
    String name = content.meta().name();
    Optional<ClassFacts> classFacts = findClass(content);
    if (classFacts.isEmpty()) {
      return new CheckResult.Invalid<>(
          content.className().isEmpty()
              ? "failed to take %s %s without a %s class"
                  .formatted(kind.names().noun(), name, kind.names().noun())
              : describeMissingClass(content));
    }
    if (!classFacts.get().driver().equals(snapshots.session().driver())) {
      return new CheckResult.Invalid<>(
          "%s %s belongs to driver %s"
              .formatted(kind.classKind(), content.className(), classFacts.get().driver()));
    }
    SnapshotParameters.DriverParameters driverParameters =
        SnapshotParameters.forDriver(classFacts.get().parameters());
    if (!driverParameters.flaw().isEmpty()) {
      return new CheckResult.Invalid<>(driverParameters.flaw());
    }
    if (content.owner().uid().isNone()) {
      return new CheckResult.Invalid<>(
          "content " + name + " belongs to no " + kind.names().owner());
    }
    Map<String, String> parameters = new HashMap<>(driverParameters.parameters());
    if (extraMetadata) {
      parameters.putAll(buildMetadata(content));
    }
    return readSecrets(content)
        .then(credentials ->
            new CheckResult.Valid<>(
                new CreationRequest(
                    names.of(content.owner().uid()), Map.copyOf(parameters), credentials)));
  }

  private static Map<String, String> buildMetadata(ContentView content) {
    ObjectKey owner = content.owner().key();
    String prefix =
        METADATA_PREFIX
            + switch (content.kind()) {
              case SNAPSHOT -> "volumesnapshot";
              case GROUP -> "volumegroupsnapshot";
            };
    return Map.of(
        prefix + "/name", owner.name(),
        prefix + "/namespace", owner.namespace(),
        prefix + "content/name", content.meta().name());
  }

  private static String describeMissingClass(ContentView content) {
    return "there is no " + content.kind().classKind() + " " + content.className();
  }

  private Optional<ClassFacts> findClass(ContentView content) {
    return content.className().isEmpty()
        ? Optional.empty()
        : snapshots.findClass(content.className());
  }

  CheckResult<DriverSecrets> readSecrets(ContentView content) throws InterruptedException {
    return new SecretReader(reader).read(findSecret(content));
  }

  static boolean haveSameSecret(ContentView first, ContentView second) {
    return findSecret(first).equals(findSecret(second));
  }

  private static Optional<SecretRef> findSecret(ContentView content) {
    ContentKind.MetadataKeys keys = content.kind().keys();
    String name = content.meta().annotation(keys.secretName());
    String namespace = content.meta().annotation(keys.secretNamespace());
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  CheckResult<DriverSecrets> readQuerySecrets(ContentView content) throws InterruptedException {
    if (!content.status().group().isEmpty()) {
      return readSecrets(content);
    }
    Optional<ClassFacts> classFacts = findClass(content);
    if (classFacts.isEmpty()) {
      return content.className().isEmpty()
          ? new CheckResult.Valid<>(DriverSecrets.NONE)
          : new CheckResult.Invalid<>(describeMissingClass(content));
    }
    SnapshotParameters.Secret secret =
        SnapshotParameters.secret(
            classFacts.get().parameters(),
            content.kind().calls().querySecretPurpose(),
            content.meta().name(),
            Optional.empty());
    if (!secret.flaw().isEmpty()) {
      return new CheckResult.Invalid<>(secret.flaw());
    }
    return new SecretReader(reader)
        .read(
            secret.isNone()
                ? Optional.empty()
                : Optional.of(new SecretRef(secret.namespace(), secret.name())));
  }
}
