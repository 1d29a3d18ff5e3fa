package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.spi.csi.Secrets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Works out what a driver is told of contents: by their classes, and with which credentials.
 * Thread-safe.
 */
final class ContentRequests<C extends Resource> {
  private static final String METADATA = "csi.storage.k8s.io/";

  private final String driver;
  private final Snapshotting.Settings settings;
  private final ContentKind<C, ?, ?> kind;
  private final SecretReader secrets;

  ContentRequests(
      String driver, Snapshotting.Settings settings, ContentKind<C, ?, ?> kind, LiveReader reader) {
    this.driver = driver;
    this.settings = settings;
    this.kind = kind;
    this.secrets = new SecretReader(reader);
  }

  /** What the driver is asked to make. */
  Checked<ContentKind.Request> of(C content) throws InterruptedException {
    ContentKind.Words<C> words = kind.words();
    ContentKind.Facts facts = kind.facts(content);
    String name = content.meta().name();
    Optional<ContentKind.ClassFacts> found = classOf(facts);
    if (found.isEmpty()) {
      return new Checked.Invalid<>(
          facts.className().isEmpty()
              ? "failed to take %s %s without a %s class"
                  .formatted(words.noun(), name, words.noun())
              : noClass(facts));
    }
    if (!found.get().driver().equals(driver)) {
      return new Checked.Invalid<>(
          words.className() + " " + facts.className() + " is one of " + found.get().driver());
    }
    SnapshotParameters.DriverParameters told =
        SnapshotParameters.forDriver(found.get().parameters());
    if (!told.flaw().isEmpty()) {
      return new Checked.Invalid<>(told.flaw());
    }
    if (facts.owner().uid().isNone()) {
      return new Checked.Invalid<>("content " + name + " belongs to no " + words.owner());
    }
    Map<String, String> parameters = new HashMap<>(told.parameters());
    if (settings.extraMetadata()) {
      String begin = METADATA + words.parameter();
      parameters.put(begin + "/name", facts.owner().key().name());
      parameters.put(begin + "/namespace", facts.owner().key().namespace());
      parameters.put(begin + "content/name", name);
    }
    return secrets(content)
        .then(credentials ->
            new Checked.Valid<>(
                new ContentKind.Request(
                    settings.names().of(facts.owner().uid()),
                    Map.copyOf(parameters),
                    credentials)));
  }

  private String noClass(ContentKind.Facts facts) {
    return "there is no " + kind.words().className() + " " + facts.className();
  }

  private Optional<ContentKind.ClassFacts> classOf(ContentKind.Facts facts) {
    return facts.className().isEmpty() ? Optional.empty() : kind.classNamed(facts.className());
  }

  /** The credentials that the content names. */
  Checked<Secrets> secrets(C content) throws InterruptedException {
    return secrets.read(secretOf(content));
  }

  /** Whether both versions of a content name the same Secret. */
  boolean haveSameSecret(C before, C now) {
    return secretOf(before).equals(secretOf(now));
  }

  private Optional<SecretRef> secretOf(C content) {
    String name = content.meta().annotation(kind.marks().secretName());
    String namespace = content.meta().annotation(kind.marks().secretNamespace());
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  /** The credentials with which one is found that is there. */
  Checked<Secrets> secretsToFind(C content) throws InterruptedException {
    ContentKind.Facts facts = kind.facts(content);
    if (facts.classless()) {
      return secrets(content);
    }
    Optional<ContentKind.ClassFacts> found = classOf(facts);
    if (found.isEmpty()) {
      return facts.className().isEmpty()
          ? new Checked.Valid<>(Secrets.NONE)
          : new Checked.Invalid<>(noClass(facts));
    }
    SnapshotParameters.Secret secret =
        SnapshotParameters.secret(
            found.get().parameters(),
            kind.calls().toFind(),
            content.meta().name(),
            Optional.empty());
    if (!secret.flaw().isEmpty()) {
      return new Checked.Invalid<>(secret.flaw());
    }
    return secrets.read(
        secret.isNone()
            ? Optional.empty()
            : Optional.of(new SecretRef(secret.namespace(), secret.name())));
  }
}
