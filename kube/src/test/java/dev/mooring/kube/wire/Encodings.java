package dev.mooring.kube.wire;

import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Decodes one object of a list, in either encoding. */
final class Encodings {
  private Encodings() {}

  static <T extends Resource> T fromJson(Kind<T> kind, String object) throws IOException {
    String list = "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [" + object + "]}";
    return decodeFirst(kind, list.getBytes(StandardCharsets.UTF_8), false);
  }

  // The envelope contains the magic number and the list as raw body.
  static <T extends Resource> T fromProtobuf(Kind<T> kind, ProtoMessage object) throws IOException {
    ProtoMessage list = new ProtoMessage().with(1, new ProtoMessage().text(2, "1")).with(2, object);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(new byte[] {'k', '8', 's', 0});
    body.write(new ProtoMessage().with(2, list).bytes());
    return decodeFirst(kind, body.toByteArray(), true);
  }

  private static <T extends Resource> T decodeFirst(Kind<T> kind, byte[] body, boolean protobuf)
      throws IOException {
    List<T> objects = new ArrayList<>();
    BodyDecoder.decodeList(kind, new ByteArrayInputStream(body), protobuf, objects::add);
    return objects.getFirst();
  }
}
