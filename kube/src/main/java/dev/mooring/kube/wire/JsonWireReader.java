package dev.mooring.kube.wire;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.mooring.model.Quantity;
import dev.mooring.wire.WireReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Reads JSON. Values of a wrong type count as absent, so that no content of a server stops
 * decoding.
 */
public final class JsonWireReader extends WireReader {
  private static final int INLINE = -1;

  private final JsonReader in;
  // Per open message the repeated field whose array is open; 0 for none; INLINE for inline
  // messages.
  private int[] openArrays = new int[16];

  private int depth = -1;
  private int pendingInline;

  public JsonWireReader(JsonReader in) {
    this.in = in;
  }

  public JsonReader getReader() {
    return in;
  }

  @Override
  public int next(Fields fields) throws IOException {
    if (openArrays[depth] == INLINE) {
      int innerField = pendingInline;
      pendingInline = 0;
      if (innerField == 0) {
        depth--;
      }
      return innerField;
    }
    while (true) {
      int array = openArrays[depth];
      if (array > 0) {
        if (in.peek() == JsonToken.NULL) {
          in.nextNull();
          continue;
        }
        if (in.hasNext()) {
          return array >= 1 << 16 ? openInline(array) : array;
        }
        in.endArray();
        openArrays[depth] = 0;
        continue;
      }
      if (!in.hasNext()) {
        in.endObject();
        depth--;
        return 0;
      }
      int number = fields.getNumber(in.nextName());
      JsonToken token = in.peek();
      if (number == 0 || token == JsonToken.NULL) {
        in.skipValue();
      } else if (token == JsonToken.BEGIN_ARRAY) {
        in.beginArray();
        openArrays[depth] = number;
      } else {
        return number >= 1 << 16 ? openInline(number) : number;
      }
    }
  }

  private int openInline(int number) {
    pendingInline = number & 0xffff;
    return number >>> 16;
  }

  @Override
  public void skip() throws IOException {
    pendingInline = 0;
    in.skipValue();
  }

  @Override
  public String readText() throws IOException {
    return switch (in.peek()) {
      case STRING, NUMBER -> in.nextString();
      case BOOLEAN -> Boolean.toString(in.nextBoolean());
      default -> {
        in.skipValue();
        yield "";
      }
    };
  }

  @Override
  public boolean readFlag() throws IOException {
    if (in.peek() == JsonToken.BOOLEAN) {
      return in.nextBoolean();
    }
    in.skipValue();
    return false;
  }

  @Override
  public void open() throws IOException {
    if (++depth == openArrays.length) {
      openArrays = Arrays.copyOf(openArrays, 2 * depth);
    }
    if (pendingInline != 0) {
      openArrays[depth] = INLINE;
      return;
    }
    openArrays[depth] = 0;
    if (in.peek() == JsonToken.BEGIN_OBJECT) {
      in.beginObject();
    } else {
      in.skipValue();
      openArrays[depth] = INLINE; // not an object: read as an empty one
    }
  }

  @Override
  public void readStrings(Map<String, String> target, Predicate<String> names) throws IOException {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      in.skipValue();
      return;
    }
    in.beginObject();
    while (in.hasNext()) {
      String key = in.nextName();
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
      } else if (names.test(key)) {
        target.put(WireReader.shareText(key), readText());
      } else {
        in.skipValue();
      }
    }
    in.endObject();
  }

  @Override
  public void readQuantities(Map<String, Quantity> target) throws IOException {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      in.skipValue();
      return;
    }
    in.beginObject();
    while (in.hasNext()) {
      target.put(WireReader.shareText(in.nextName()), readQuantity());
    }
    in.endObject();
  }
}
