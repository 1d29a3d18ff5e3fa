package dev.mooring.apiserver.apply;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

public final class MessageShapes {
  private static final Map<String, ValueShape> STRUCTS = new ConcurrentHashMap<>();

  public static final ValueShape METADATA = findShape(Schema.message("ObjectMeta"));

  private MessageShapes() {}

  private static final class StructShape implements ValueShape.MapShape {
    private static final ValueShape TEXT = new ValueShape.ScalarShape(ValueShape.ScalarKind.STRING);

    private final Map<String, ValueShape> known = new ConcurrentHashMap<>();
    private final MessageType message;
    private final boolean isAtomic;

    StructShape(MessageType message, boolean isAtomic) {
      this.message = message;
      this.isAtomic = isAtomic;
    }

    @Override
    public boolean isAtomic() {
      return isAtomic;
    }

    @Override
    public @Nullable ValueShape declared(String name) {
      ValueShape found = known.get(name);
      if (found == null) {
        found = findMember(name);
        if (found != null) {
          known.put(name, found);
        }
      }
      return found;
    }

    private @Nullable ValueShape findMember(String name) {
      if (name.equals("kind") || name.equals("apiVersion")) {
        return TEXT;
      }
      MessageField field = message.field(name);
      if (field == null) {
        MessageField holder = message.inlineHolder(name);
        field = holder == null ? null : holder.message().field(name);
      }
      return field == null ? null : makeShape(field);
    }

    @Override
    public @Nullable ValueShape others() {
      return null;
    }
  }

  private record EntriesShape(ValueShape others, boolean isAtomic) implements ValueShape.MapShape {
    @Override
    public @Nullable ValueShape declared(String name) {
      return null;
    }
  }

  public static ValueShape makeEntryShape(ValueShape values, boolean isAtomic) {
    return new EntriesShape(values, isAtomic);
  }

  public static ValueShape findShape(MessageType message) {
    ValueShape known = STRUCTS.get(message.name());
    if (known == null) {
      known = new StructShape(message, false);
      STRUCTS.put(message.name(), known);
    }
    return known;
  }

  private static ValueShape makeShape(MessageField field) {
    Schema.MergeRules merging = field.merging();
    if (field.map()) {
      return new EntriesShape(makeValueShape(field, false), merging.atomic());
    }
    if (field.repeated()) {
      boolean atomic = merging.keys().isEmpty() && !merging.set();
      List<String> defaults = new ArrayList<>();
      for (String key : merging.keys()) {
        MessageField part = field.message().field(key);
        defaults.add(part == null ? "" : part.merging().byDefault());
      }
      ValueShape element = makeValueShape(field, !atomic && merging.atomic());
      return new ValueShape.ListShape(false, atomic, merging.keys(), defaults, element);
    }
    return makeValueShape(field, merging.atomic());
  }

  private static ValueShape makeValueShape(MessageField field, boolean isAtomic) {
    return switch (field.shape()) {
      case STRING, BYTES, TIME, MICRO_TIME ->
          new ValueShape.ScalarShape(ValueShape.ScalarKind.STRING);
      case BOOL -> new ValueShape.ScalarShape(ValueShape.ScalarKind.BOOLEAN);
      case INT32, INT64, DOUBLE -> new ValueShape.ScalarShape(ValueShape.ScalarKind.NUMBER);
      case QUANTITY, INT_OR_STRING -> new ValueShape.ScalarShape(ValueShape.ScalarKind.ANY);
      case RAW -> ValueShape.DEDUCED;
      case STRINGS, ANY -> ValueShape.OPAQUE;
      case MESSAGE ->
          isAtomic ? new StructShape(field.message(), true) : findShape(field.message());
    };
  }
}
