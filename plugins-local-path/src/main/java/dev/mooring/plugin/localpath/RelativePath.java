package dev.mooring.plugin.localpath;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A path below a base path that leads nowhere else: elements without separators, none of them
 * {@code .} or {@code ..}. Only {@link #of} makes one.
 */
record RelativePath(List<String> elements) {
  /** What directories begin with that are being made. */
  static final String DRAFT = ".mooring-new-";

  private static final int LONGEST_ELEMENT = 255;
  private static final int LONGEST_PATH = 1024;
  private static final int SHOWN = 60;

  /** Reads a path. The message of a refusal names the text and what is wrong with it. */
  static RelativePath of(String text) throws Refused {
    if (text.isEmpty()) {
      throw refused(text, "is empty");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
      throw refused(text, "is longer than " + LONGEST_PATH + " bytes");
    }
    if (text.startsWith("/")) {
      throw refused(text, "is absolute");
    }
    List<String> elements = List.of(text.split("/", -1));
    for (String element : elements) {
      String problem = problem(element);
      if (!problem.isEmpty()) {
        throw refused(text, problem);
      }
    }
    return new RelativePath(elements);
  }

  private static String problem(String element) {
    if (element.isEmpty()) {
      return "has an empty element";
    }
    if (element.equals(".") || element.equals("..")) {
      return "has the element \"" + element + "\"";
    }
    if (element.startsWith(DRAFT)) {
      return "has an element that begins with \"" + DRAFT + "\", which is the plugin's own";
    }
    if (element.getBytes(StandardCharsets.UTF_8).length > LONGEST_ELEMENT) {
      return "has an element of more than " + LONGEST_ELEMENT + " bytes";
    }
    return isPlain(element) ? "" : "has characters that are not to be printed";
  }

  /** Without control characters, halves of surrogate pairs, and what only changes directions. */
  private static boolean isPlain(String element) {
    return element
        .codePoints()
        .noneMatch(c ->
            Character.isISOControl(c)
                || Character.getType(c) == Character.SURROGATE
                || Character.getType(c) == Character.FORMAT
                || Character.getType(c) == Character.LINE_SEPARATOR
                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR
                || Character.getType(c) == Character.UNASSIGNED);
  }

  private static Refused refused(String text, String why) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN)
        .forEach(c ->
            shown.appendCodePoint(
                Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE
                    ? '\uFFFD'
                    : c));
    return new Refused("the directory \"" + shown + "\" " + why);
  }

  String name() {
    return elements.getLast();
  }

  List<String> parents() {
    return elements.subList(0, elements.size() - 1);
  }

  /** Whether one of the two is the other, or lies in it. */
  boolean meets(RelativePath other) {
    int common = Math.min(elements.size(), other.elements.size());
    return elements.subList(0, common).equals(other.elements.subList(0, common));
  }

  /** Whether it is below these, or is these. */
  boolean startsWith(String... above) {
    return elements.size() >= above.length
        && elements.subList(0, above.length).equals(List.of(above));
  }

  @Override
  public String toString() {
    return String.join("/", elements);
  }
}
