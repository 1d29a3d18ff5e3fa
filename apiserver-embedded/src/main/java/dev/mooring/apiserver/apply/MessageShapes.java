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
  private static final Map<String, ValueShape> STRUCT_SHAPES = new ConcurrentHashMap<>();

  public static final ValueShape METADATA = findShape(Schema.getMessage("ObjectMeta"));

  private MessageShapes() {}

  private static final class StructShape implements ValueShape.MapShape {
    private static final ValueShape TEXT = new ValueShape.ScalarShape(ValueShape.ScalarKind.STRING);

    private final Map<String, ValueShape> memberShapes = new ConcurrentHashMap<>();
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
    public @Nullable ValueShape findDeclaredShape(String name) {
      ValueShape shape = memberShapes.get(name);
      if (shape == null) {
        shape = findMemberShape(name);
        if (shape != null) {
          memberShapes.put(name, shape);
        }
      }
      return shape;
    }

    private @Nullable ValueShape findMemberShape(String name) {
      if (name.equals("kind") || name.equals("apiVersion")) {
        return TEXT;
      }
      MessageField field = message.findMember(name);
      return field == null ? null : makeShape(field);
    }

    @Override
    public @Nullable ValueShape undeclaredShape() {
      return null;
    }
  }

  private record EntriesShape(ValueShape undeclaredShape, boolean isAtomic)
      implements ValueShape.MapShape {
    @Override
    public @Nullable ValueShape findDeclaredShape(String name) {
      return null;
    }
  }

  public static ValueShape makeEntryShape(ValueShape values, boolean isAtomic) {
    return new EntriesShape(values, isAtomic);
  }

  public static ValueShape findShape(MessageType message) {
    ValueShape shape = STRUCT_SHAPES.get(message.name());
    if (shape == null) {
      shape = new StructShape(message, false);
      STRUCT_SHAPES.put(message.name(), shape);
    }
    return shape;
  }

  private static ValueShape makeShape(MessageField field) {
    Schema.MergeRules merging = field.mergeRules();
    if (field.isMap()) {
      return new EntriesShape(makeValueShape(field, false), merging.isAtomic());
    }
    if (field.isRepeated()) {
      boolean isAtomic = merging.keys().isEmpty() && !merging.isSet();
      List<String> defaults = new ArrayList<>();
      for (String key : merging.keys()) {
        MessageField keyField = field.getMessage().findField(key);
        defaults.add(keyField == null ? "" : keyField.mergeRules().defaultKey());
      }
      ValueShape element = makeValueShape(field, !isAtomic && merging.isAtomic());
      return new ValueShape.ListShape(false, isAtomic, merging.keys(), defaults, element);
    }
    return makeValueShape(field, merging.isAtomic());
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
          isAtomic ? new StructShape(field.getMessage(), true) : findShape(field.getMessage());
    };
  }
}
