package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.spi.csi.DriverSecrets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Computes the parameters and Secrets of snapshot requests. Thread-safe. */
final class ContentRequests<C extends Resource> {
  private static final String METADATA = "csi.storage.k8s.io/";

  private final String driver;
  private final SnapshotReconciler.SnapshotSettings settings;
  private final ContentKind<C, ?, ?> kind;
  private final SecretReader secrets;

  ContentRequests(
      String driver,
      SnapshotReconciler.SnapshotSettings settings,
      ContentKind<C, ?, ?> kind,
      LiveReader reader) {
    this.driver = driver;
    this.settings = settings;
    this.kind = kind;
    this.secrets = new SecretReader(reader);
  }

  CheckResult<ContentKind.Request> of(C content) throws InterruptedException {
    ContentKind.ContentNames<C> names = kind.names();
    ContentKind.ContentFacts facts = kind.facts(content);
    String name = content.meta().name();
    Optional<ContentKind.ClassFacts> found = classOf(facts);
    if (found.isEmpty()) {
      return new CheckResult.Invalid<>(
          facts.className().isEmpty()
              ? "failed to take %s %s without a %s class"
                  .formatted(names.noun(), name, names.noun())
              : noClass(facts));
    }
    if (!found.get().driver().equals(driver)) {
      return new CheckResult.Invalid<>(
          names.className()
              + " "
              + facts.className()
              + " belongs to driver "
              + found.get().driver());
    }
    SnapshotParameters.DriverParameters forDriver =
        SnapshotParameters.forDriver(found.get().parameters());
    if (!forDriver.flaw().isEmpty()) {
      return new CheckResult.Invalid<>(forDriver.flaw());
    }
    if (facts.owner().uid().isNone()) {
      return new CheckResult.Invalid<>("content " + name + " belongs to no " + names.owner());
    }
    Map<String, String> parameters = new HashMap<>(forDriver.parameters());
    if (settings.extraMetadata()) {
      parameters.putAll(metadata(facts, name));
    }
    return secrets(content)
        .then(credentials ->
            new CheckResult.Valid<>(
                new ContentKind.Request(
                    settings.names().of(facts.owner().uid()),
                    Map.copyOf(parameters),
                    credentials)));
  }

  private Map<String, String> metadata(ContentKind.ContentFacts facts, String name) {
    String prefix = METADATA + kind.names().parameter();
    return Map.of(
        prefix + "/name", facts.owner().key().name(),
        prefix + "/namespace", facts.owner().key().namespace(),
        prefix + "content/name", name);
  }

  private String noClass(ContentKind.ContentFacts facts) {
    return "there is no " + kind.names().className() + " " + facts.className();
  }

  private Optional<ContentKind.ClassFacts> classOf(ContentKind.ContentFacts facts) {
    return facts.className().isEmpty() ? Optional.empty() : kind.classNamed(facts.className());
  }

  CheckResult<DriverSecrets> secrets(C content) throws InterruptedException {
    return secrets.read(secretOf(content));
  }

  boolean haveSameSecret(C before, C now) {
    return secretOf(before).equals(secretOf(now));
  }

  private Optional<SecretRef> secretOf(C content) {
    String name = content.meta().annotation(kind.keys().secretName());
    String namespace = content.meta().annotation(kind.keys().secretNamespace());
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  CheckResult<DriverSecrets> secretsToFind(C content) throws InterruptedException {
    ContentKind.ContentFacts facts = kind.facts(content);
    if (facts.classless()) {
      return secrets(content);
    }
    Optional<ContentKind.ClassFacts> found = classOf(facts);
    if (found.isEmpty()) {
      return facts.className().isEmpty()
          ? new CheckResult.Valid<>(DriverSecrets.NONE)
          : new CheckResult.Invalid<>(noClass(facts));
    }
    SnapshotParameters.Secret secret =
        SnapshotParameters.secret(
            found.get().parameters(),
            kind.calls().toFind(),
            content.meta().name(),
            Optional.empty());
    if (!secret.flaw().isEmpty()) {
      return new CheckResult.Invalid<>(secret.flaw());
    }
    return secrets.read(
        secret.isNone()
            ? Optional.empty()
            : Optional.of(new SecretRef(secret.namespace(), secret.name())));
  }
}
