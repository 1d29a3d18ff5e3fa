package dev.mooring.apiserver.apply;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Schema.Field;
import dev.mooring.apiserver.codec.Schema.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The shapes of the API's own messages. */
public final class Shapes {
  private static final Map<String, Shape> STRUCTS = new ConcurrentHashMap<>();

  /** Metadata, of whatever kind. */
  public static final Shape METADATA = of(Schema.message("ObjectMeta"));

  private Shapes() {}

  private static final class Struct implements Shape.Mapping {
    private static final Shape TEXT = new Shape.Scalar(Shape.Kind.STRING);

    private final Map<String, Shape> known = new ConcurrentHashMap<>();
    private final Message message;
    private final boolean isAtomic;

    Struct(Message message, boolean isAtomic) {
      this.message = message;
      this.isAtomic = isAtomic;
    }

    @Override
    public boolean isAtomic() {
      return isAtomic;
    }

    @Override
    public @Nullable Shape declared(String name) {
      Shape found = known.get(name);
      if (found == null) {
        found = find(name);
        if (found != null) {
          known.put(name, found);
        }
      }
      return found;
    }

    private @Nullable Shape find(String name) {
      if (name.equals("kind") || name.equals("apiVersion")) {
        return TEXT;
      }
      Field field = message.field(name);
      if (field == null) {
        Field holder = message.inlineHolder(name);
        field = holder == null ? null : holder.message().field(name);
      }
      return field == null ? null : build(field);
    }

    @Override
    public @Nullable Shape others() {
      return null;
    }
  }

  private record Entries(Shape others, boolean isAtomic) implements Shape.Mapping {
    @Override
    public @Nullable Shape declared(String name) {
      return null;
    }
  }

  /** A map of values of that shape. */
  public static Shape entries(Shape values, boolean isAtomic) {
    return new Entries(values, isAtomic);
  }

  /** A message. */
  public static Shape of(Message message) {
    Shape known = STRUCTS.get(message.name());
    if (known == null) {
      known = new Struct(message, false);
      STRUCTS.put(message.name(), known);
    }
    return known;
  }

  private static Shape build(Field field) {
    Schema.Merging merging = field.merging();
    if (field.map()) {
      return new Entries(one(field, false), merging.atomic());
    }
    if (field.repeated()) {
      boolean atomic = merging.keys().isEmpty() && !merging.set();
      List<String> defaults = new ArrayList<>();
      for (String key : merging.keys()) {
        Field part = field.message().field(key);
        defaults.add(part == null ? "" : part.merging().byDefault());
      }
      Shape element = one(field, !atomic && merging.atomic());
      return new Shape.Listing(false, atomic, merging.keys(), defaults, element);
    }
    return one(field, merging.atomic());
  }

  private static Shape one(Field field, boolean isAtomic) {
    return switch (field.shape()) {
      case STRING, BYTES, TIME, MICRO_TIME -> new Shape.Scalar(Shape.Kind.STRING);
      case BOOL -> new Shape.Scalar(Shape.Kind.BOOLEAN);
      case INT32, INT64, DOUBLE -> new Shape.Scalar(Shape.Kind.NUMBER);
      case QUANTITY, INT_OR_STRING -> new Shape.Scalar(Shape.Kind.ANY);
      case RAW -> Shape.DEDUCED;
      case STRINGS, ANY -> Shape.OPAQUE;
      case MESSAGE -> isAtomic ? new Struct(field.message(), true) : of(field.message());
    };
  }
}
