package dev.mooring.apiserver.codec;

import org.jspecify.annotations.Nullable;

/**
 * Path to a value in a body. Its text is only made for messages, because most bodies have none.
 *
 * @param message the type that has the member; "" for an element of a list or map
 */
record FieldPath(@Nullable FieldPath parent, String message, String step) {
  static FieldPath ofMember(@Nullable FieldPath parent, String message, String name) {
    return new FieldPath(parent, message, parent == null ? name : "." + name);
  }

  FieldPath key(String key) {
    return new FieldPath(this, "", "." + key);
  }

  FieldPath element(int index) {
    return new FieldPath(this, "", "[" + index + "]");
  }

  // the decoder of Go names the member, not the element
  String toGoField() {
    return parent != null && message.isEmpty() ? parent.toGoField() : message + "." + this;
  }

  @Override
  public String toString() {
    return parent == null ? step : parent + step;
  }
}
