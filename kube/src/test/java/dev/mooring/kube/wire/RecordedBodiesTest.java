package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.wire.MetaDecoder.ListMeta;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recorded responses of a Kubernetes 1.36 API server in protobuf and JSON decode to equal records.
 */
class RecordedBodiesTest {
  static Stream<Kind<?>> kinds() {
    // not recorded; RareFieldsTest decodes one in both forms
    return Kind.ALL.stream().filter(kind -> !kind.equals(Kind.STORAGE_CAPACITY));
  }

  private static InputStream recorded(String name) {
    return Objects.requireNonNull(
        RecordedBodiesTest.class.getResourceAsStream("/recorded/" + name), name);
  }

  private static <T extends Resource> List<T> list(Kind<T> kind, boolean protobuf)
      throws IOException {
    List<T> objects = new ArrayList<>();
    try (InputStream body = recorded(kind.plural() + "-list." + (protobuf ? "pb" : "json"))) {
      ListMeta info = BodyDecoder.decodeList(kind, body, protobuf, objects::add);
      assertThat(info.version()).isPositive();
    }
    return objects;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void list_bothForms_yieldEqualRecords(Kind<?> kind) throws IOException {
    assertThat(list(kind, true)).isNotEmpty().isEqualTo(list(kind, false));
  }

  private static <T extends Resource> List<Object> watch(Kind<T> kind, boolean protobuf)
      throws IOException {
    List<Object> events = new ArrayList<>();
    try (InputStream body = recorded(kind.plural() + "-watch." + (protobuf ? "pb" : "json"))) {
      BodyDecoder.decodeWatch(
          kind,
          body,
          protobuf,
          new BodyDecoder.Events<>() {
            @Override
            public void changed(String type, T object) {
              events.add(type);
              events.add(object);
            }

            @Override
            public void bookmark(long version, boolean endsInitialEvents) {
              events.add("bookmark " + version + endsInitialEvents);
            }

            @Override
            public void error(BodyDecoder.Status status) {
              events.add(status);
            }
          });
    }
    return events;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void watch_bothForms_yieldEqualEvents(Kind<?> kind) throws IOException {
    assertThat(watch(kind, true)).isNotEmpty().isEqualTo(watch(kind, false));
  }

  @Test
  void status_bothForms_yieldEqualRecords() throws IOException {
    try (InputStream protobuf = recorded("status-404.pb");
        InputStream json = recorded("status-404.json")) {
      BodyDecoder.Status status = BodyDecoder.decodeStatus(protobuf, true);
      assertThat(status).isEqualTo(BodyDecoder.decodeStatus(json, false));
      assertThat(status.code()).isEqualTo(404);
    }
  }

  // Unknown fields, values of a wrong type and nulls must not stop decoding.
  @Test
  void volume_malformedFields_areIgnored() throws IOException {
    String json =
        """
        {"kind":"PersistentVolume","future":{"a":[1,{"b":null}]},"metadata":{"name":"v","labels":null,"annotations":[],"finalizers":"x","resourceVersion":7,"deletionTimestamp":"soon"},
         "spec":{"capacity":{"storage":1024,"odd":{}},"accessModes":["ReadWriteOnce","Sometimes",null],"claimRef":{},"persistentVolumeReclaimPolicy":"Keep","newSource":{"x":1},"volumeMode":5,
         "csi":{"driver":"d","volumeHandle":"h","volumeAttributes":{"k":"v"}}},"status":{"phase":"Sideways"}}
        """;
    var volume =
        BodyDecoder.decodeObject(
            Kind.VOLUME, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), false);
    assertThat(volume.meta().name()).isEqualTo("v");
    assertThat(volume.meta().resourceVersion()).isEqualTo(7);
    assertThat(volume.storage()).hasToString("1024");
    assertThat(volume.accessModes().written()).containsExactly("ReadWriteOnce", "Sometimes");
    assertThat(volume.claimRef()).isNotNull();
    assertThat(volume.source().type()).isEqualTo("csi");
    assertThat(volume.reclaimPolicy().toString()).isEmpty();
  }
}
