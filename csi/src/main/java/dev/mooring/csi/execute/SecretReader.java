package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.DriverSecrets;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads Secrets live and does not cache them. Thread-safe. */
record SecretReader(LiveReader reader) {
  CheckResult<DriverSecrets> read(Optional<SecretRef> ref) throws InterruptedException {
    return ref.isEmpty() ? new CheckResult.Valid<>(DriverSecrets.NONE) : read(ref.get());
  }

  private CheckResult<DriverSecrets> read(SecretRef ref) throws InterruptedException {
    String errorPrefix = "failed to load secret \"" + ref.namespace() + "/" + ref.name() + "\": ";
    ObjectKey key = new ObjectKey(ref.namespace(), ref.name());
    return switch (reader.readWhole(Kind.SECRET, key)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> secret) ->
          new CheckResult.Valid<>(new DriverSecrets(decode(new RawObject(secret).at("data"))));
      case ReadResult.Absent<Map<String, Object>> _ ->
          new CheckResult.Invalid<>(errorPrefix + "it does not exist");
      // rights to Secrets are granted for each namespace and vanish with it
      case ReadResult.Failed<Map<String, Object>>(String message)
          when !key.flaw().isEmpty() || reader.isForbidden(Kind.SECRET, key) ->
          new CheckResult.Invalid<>(errorPrefix + message);
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new CheckResult.Unknown<>(errorPrefix + message);
    };
  }

  private static Map<String, String> decode(RawObject data) {
    Map<String, String> values = new HashMap<>();
    data.texts()
        .forEach((key, value) ->
            values.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
    return Map.copyOf(values);
  }
}
