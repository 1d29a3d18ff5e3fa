package dev.mooring.apiserver.kinds.model;

public final class TextSize {
  private static final int TWO_BYTES = 0x80;
  private static final int THREE_BYTES = 0x800;

  private TextSize() {}

  // Kubernetes' limits count the bytes of a text.
  public static int countBytes(String text) {
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isHalf = Character.isSurrogate(c); // two halves are four bytes
      count += c < TWO_BYTES ? 1 : c < THREE_BYTES || isHalf ? 2 : 3;
    }
    return count;
  }
}
