package dev.mooring.apiserver.apply;

import java.util.List;
import org.jspecify.annotations.Nullable;

public sealed interface ValueShape {
  enum ScalarKind {
    STRING,
    NUMBER,
    BOOLEAN,
    ANY
  }

  record ScalarShape(ScalarKind kind) implements ValueShape {}

  non-sealed interface MapShape extends ValueShape {
    boolean isAtomic();

    /** Returns the shape of the declared member; null if there is none with that name. */
    @Nullable ValueShape findDeclaredShape(String name);

    /** Returns the shape of undeclared members; null if they are not allowed. */
    @Nullable ValueShape undeclaredShape();
  }

  /**
   * A list.
   *
   * @param isStrict true if an element without any key is an error
   * @param isAtomic true if a merge replaces the whole list
   * @param keys the members that identify elements; if empty, the value identifies the element
   * @param defaults the default of each missing key; "" for none
   */
  record ListShape(
      boolean isStrict,
      boolean isAtomic,
      List<String> keys,
      List<String> defaults,
      ValueShape element)
      implements ValueShape {}

  /**
   * A type that the value itself decides; lists are atomic.
   *
   * @param isAtomic true if objects are atomic, too
   */
  record DeducedShape(boolean isAtomic) implements ValueShape {}

  ValueShape DEDUCED = new DeducedShape(false);

  ValueShape OPAQUE = new DeducedShape(true);

  /** Returns the shape of the value at a path element; a deduced one if none is declared. */
  default ValueShape getShapeBelow(String element) {
    if (this instanceof MapShape mapping && element.startsWith("f:")) {
      ValueShape declaredShape = mapping.findDeclaredShape(element.substring(2));
      ValueShape shape = declaredShape == null ? mapping.undeclaredShape() : declaredShape;
      return shape == null ? DEDUCED : shape;
    }
    return this instanceof ListShape list ? list.element() : DEDUCED;
  }
}
