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
  private static final String METADATA = "csi.storage.k8s.io/";

  CheckResult<CreationRequest> creation(ContentView content) throws InterruptedException {
    ContentKind kind = content.kind();
    String name = content.meta().name();
    Optional<ClassFacts> found = classOf(content);
    if (found.isEmpty()) {
      return new CheckResult.Invalid<>(
          content.className().isEmpty()
              ? "failed to take %s %s without a %s class"
                  .formatted(kind.names().noun(), name, kind.names().noun())
              : noClass(content));
    }
    if (!found.get().driver().equals(snapshots.session().driver())) {
      return new CheckResult.Invalid<>(
          "%s %s belongs to driver %s"
              .formatted(kind.classKind(), content.className(), found.get().driver()));
    }
    SnapshotParameters.DriverParameters forDriver =
        SnapshotParameters.forDriver(found.get().parameters());
    if (!forDriver.flaw().isEmpty()) {
      return new CheckResult.Invalid<>(forDriver.flaw());
    }
    if (content.owner().uid().isNone()) {
      return new CheckResult.Invalid<>(
          "content " + name + " belongs to no " + kind.names().owner());
    }
    Map<String, String> parameters = new HashMap<>(forDriver.parameters());
    if (extraMetadata) {
      parameters.putAll(metadata(content));
    }
    return secrets(content)
        .then(credentials ->
            new CheckResult.Valid<>(
                new CreationRequest(
                    names.of(content.owner().uid()), Map.copyOf(parameters), credentials)));
  }

  private static Map<String, String> metadata(ContentView content) {
    ObjectKey owner = content.owner().key();
    String prefix =
        METADATA
            + switch (content.kind()) {
              case SNAPSHOT -> "volumesnapshot";
              case GROUP -> "volumegroupsnapshot";
            };
    return Map.of(
        prefix + "/name", owner.name(),
        prefix + "/namespace", owner.namespace(),
        prefix + "content/name", content.meta().name());
  }

  private static String noClass(ContentView content) {
    return "there is no " + content.kind().classKind() + " " + content.className();
  }

  private Optional<ClassFacts> classOf(ContentView content) {
    return content.className().isEmpty()
        ? Optional.empty()
        : snapshots.classNamed(content.className());
  }

  CheckResult<DriverSecrets> secrets(ContentView content) throws InterruptedException {
    return new SecretReader(reader).read(secretOf(content));
  }

  static boolean haveSameSecret(ContentView before, ContentView now) {
    return secretOf(before).equals(secretOf(now));
  }

  private static Optional<SecretRef> secretOf(ContentView content) {
    ContentKind.MetadataKeys keys = content.kind().keys();
    String name = content.meta().annotation(keys.secretName());
    String namespace = content.meta().annotation(keys.secretNamespace());
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  CheckResult<DriverSecrets> secretsToFind(ContentView content) throws InterruptedException {
    if (!content.status().group().isEmpty()) {
      return secrets(content);
    }
    Optional<ClassFacts> found = classOf(content);
    if (found.isEmpty()) {
      return content.className().isEmpty()
          ? new CheckResult.Valid<>(DriverSecrets.NONE)
          : new CheckResult.Invalid<>(noClass(content));
    }
    SnapshotParameters.Secret secret =
        SnapshotParameters.secret(
            found.get().parameters(),
            content.kind().calls().toFind(),
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
