package dev.mooring.testkit;

import dev.mooring.model.Kind;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.wire.DecoderTable;
import dev.mooring.wire.MetaDecoder;
import dev.mooring.wire.WireReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Reads JSON values in memory. */
final class TreeReader extends WireReader {
  private record Field(String name, Object value) {}

  private final Deque<Iterator<Field>> openMessages = new ArrayDeque<>();
  private Field field;
  private boolean isInline;

  private TreeReader(JsonTree tree) {
    field = new Field("", tree.members());
    open();
  }

  // with all labels and annotations
  static <T extends Resource> T read(Kind<T> kind, JsonTree tree) {
    TreeReader in = new TreeReader(tree);
    in.retainEverything();
    return decode(kind, in);
  }

  // with the labels and annotations that caches retain
  static <T extends Resource> T readRetained(Kind<T> kind, JsonTree tree) {
    return decode(kind, new TreeReader(tree));
  }

  private static <T extends Resource> T decode(Kind<T> kind, TreeReader in) {
    try {
      return kind.type().isAssignableFrom(PartialObject.class)
          ? kind.type().cast(MetaDecoder.decodePartial(in))
          : DecoderTable.getDecoder(kind).decode(in);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    if (field.value() instanceof Map<?, ?> members) {
      members.forEach((name, value) -> {
        List<?> elements =
            value instanceof List<?> array ? array : Collections.singletonList(value);
        for (Object element : elements) {
          if (element != null) {
            fields.add(new Field(String.valueOf(name), element));
          }
        }
      });
    }
    return fields;
  }

  @Override
  public int next(Fields fields) {
    Iterator<Field> message = openMessages.element();
    while (message.hasNext()) {
      field = message.next();
      int number = fields.getNumber(field.name());
      if (number != 0) {
        isInline = number >= 1 << 16;
        return isInline ? number >>> 16 : number;
      }
    }
    openMessages.pop();
    return 0;
  }

  @Override
  public void open() {
    openMessages.push((isInline ? List.of(field) : fields()).iterator());
  }

  @Override
  public void skip() {}

  @Override
  public String readText() {
    Object value = field.value();
    return value instanceof Map<?, ?> ? "" : value.toString();
  }

  @Override
  public boolean readFlag() {
    return readText().equals("true");
  }

  @Override
  public void readStrings(Map<String, String> target, Predicate<String> names) {
    for (Field entry : fields()) {
      if (names.test(entry.name())) {
        target.put(entry.name(), entry.value().toString());
      }
    }
  }

  @Override
  public void readQuantities(Map<String, Quantity> target) {
    fields().forEach(entry -> target.put(entry.name(), Quantity.of(entry.value().toString())));
  }
}
