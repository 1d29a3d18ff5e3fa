package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.DriverSecrets;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads Secrets live and does not cache them. Thread-safe. */
record SecretReader(LiveReader reader) {
  private static final CheckResult<DriverSecrets> NONE =
      new CheckResult.Valid<>(DriverSecrets.NONE);

  CheckResult<DriverSecrets> read(Optional<SecretRef> ref) throws InterruptedException {
    return ref.isEmpty() ? NONE : read(ref.get(), CheckResult.Invalid::new);
  }

  // A Secret that does not exist, or that no right allows to read, is omitted.
  CheckResult<DriverSecrets> readIfPresent(Optional<SecretRef> ref) throws InterruptedException {
    return ref.isEmpty() ? NONE : read(ref.get(), _ -> NONE);
  }

  private CheckResult<DriverSecrets> read(
      SecretRef ref, Function<String, CheckResult<DriverSecrets>> onMissing)
      throws InterruptedException {
    String errorPrefix = "failed to load secret \"" + ref.namespace() + "/" + ref.name() + "\": ";
    ObjectKey key = new ObjectKey(ref.namespace(), ref.name());
    return switch (reader.readWhole(Kind.SECRET, key)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> secret) ->
          decode(new RawObject(secret).at("data"), errorPrefix);
      case ReadResult.Absent<Map<String, Object>> _ ->
          onMissing.apply(errorPrefix + "it does not exist");
      // rights to Secrets are granted for each namespace and vanish with it
      case ReadResult.Failed<Map<String, Object>>(String message)
          when !key.flaw().isEmpty() || reader.isForbidden(Kind.SECRET, key) ->
          onMissing.apply(errorPrefix + message);
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new CheckResult.Unknown<>(errorPrefix + message);
    };
  }

  private static CheckResult<DriverSecrets> decode(RawObject data, String errorPrefix) {
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(data.texts()).entrySet()) {
      try {
        values.put(entry.getKey(), decodeText(entry.getValue()));
      } catch (CharacterCodingException e) {
        return new CheckResult.Invalid<>(
            "%sthe value of key \"%s\" is not UTF-8 text, and CSI allows only text"
                .formatted(errorPrefix, entry.getKey()));
      }
    }
    return new CheckResult.Valid<>(new DriverSecrets(Map.copyOf(values)));
  }

  private static String decodeText(String base64) throws CharacterCodingException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(Base64.getDecoder().decode(base64)))
        .toString();
  }
}
