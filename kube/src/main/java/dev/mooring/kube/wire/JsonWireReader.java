package dev.mooring.kube.wire;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.mooring.model.Quantity;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
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
  private int[] arrays =
      new int[16]; // repeated field whose array is open, per message; 0 for none; INLINE for inline
  // messages
  private int depth = -1;
  private int pendingInline;

  public JsonWireReader(JsonReader in) {
    this.in = in;
  }

  public JsonReader reader() {
    return in;
  }

  @Override
  public int next(Fields fields) throws IOException {
    if (arrays[depth] == INLINE) {
      int inner = pendingInline;
      pendingInline = 0;
      if (inner == 0) {
        depth--;
      }
      return inner;
    }
    while (true) {
      int array = arrays[depth];
      if (array > 0) {
        if (in.peek() == JsonToken.NULL) {
          in.nextNull();
          continue;
        }
        if (in.hasNext()) {
          return array >= 1 << 16 ? inline(array) : array;
        }
        in.endArray();
        arrays[depth] = 0;
        continue;
      }
      if (!in.hasNext()) {
        in.endObject();
        depth--;
        return 0;
      }
      int number = fields.number(in.nextName());
      JsonToken token = in.peek();
      if (number == 0 || token == JsonToken.NULL) {
        in.skipValue();
      } else if (token == JsonToken.BEGIN_ARRAY) {
        in.beginArray();
        arrays[depth] = number;
      } else {
        return number >= 1 << 16 ? inline(number) : number;
      }
    }
  }

  private int inline(int number) {
    pendingInline = number & 0xffff;
    return number >>> 16;
  }

  @Override
  public void skip() throws IOException {
    pendingInline = 0;
    in.skipValue();
  }

  @Override
  public String text() throws IOException {
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
  public boolean flag() throws IOException {
    if (in.peek() == JsonToken.BOOLEAN) {
      return in.nextBoolean();
    }
    in.skipValue();
    return false;
  }

  @Override
  public long number() throws IOException {
    if (in.peek() == JsonToken.NUMBER || in.peek() == JsonToken.STRING) {
      String text = in.nextString();
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException notWhole) {
        return 0;
      }
    }
    in.skipValue();
    return 0;
  }

  @Override
  public Quantity quantity() throws IOException {
    return quantity(text());
  }

  @Override
  public long micros() throws IOException {
    String text = text();
    if (text.isEmpty()) {
      return 0;
    }
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    } catch (DateTimeException notATime) {
      return 0;
    }
  }

  @Override
  public void open() throws IOException {
    if (++depth == arrays.length) {
      arrays = Arrays.copyOf(arrays, 2 * depth);
    }
    if (pendingInline != 0) {
      arrays[depth] = INLINE;
      return;
    }
    arrays[depth] = 0;
    if (in.peek() == JsonToken.BEGIN_OBJECT) {
      in.beginObject();
    } else {
      in.skipValue();
      arrays[depth] = INLINE; // not an object: read as an empty one
    }
  }

  @Override
  public void strings(Map<String, String> into, Predicate<String> names) throws IOException {
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
        into.put(WireReader.share(key), text());
      } else {
        in.skipValue();
      }
    }
    in.endObject();
  }

  @Override
  public void quantities(Map<String, Quantity> into) throws IOException {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      in.skipValue();
      return;
    }
    in.beginObject();
    while (in.hasNext()) {
      into.put(WireReader.share(in.nextName()), quantity());
    }
    in.endObject();
  }
}
