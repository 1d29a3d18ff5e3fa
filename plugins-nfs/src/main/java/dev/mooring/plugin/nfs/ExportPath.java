package dev.mooring.plugin.nfs;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A path below an export's root that leads nowhere else: elements without separators, none of them
 * {@code .}, {@code ..} or one of ours. Only {@link #of} makes one.
 */
record ExportPath(List<String> elements) {
  /** The plugin's own directory in every export. */
  static final String OWN = ".mooring";

  /** What archived directories begin with. */
  static final String ARCHIVED = "archived-";

  private static final int LONGEST_ELEMENT = 255;
  private static final int LONGEST_PATH = 1024;

  /** Why a text is no such path. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String why) {
      super(why);
    }
  }

  /** Reads a path. The message of a refusal names the text and what is wrong with it. */
  static ExportPath of(String text) throws Refused {
    if (text.isEmpty()) {
      throw refused(text, "is empty");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
      throw refused(text.substring(0, 40) + "...", "is longer than " + LONGEST_PATH + " bytes");
    }
    if (text.startsWith("/")) {
      throw refused(text, "is absolute");
    }
    List<String> elements = List.of(text.split("/", -1));
    for (int i = 0; i < elements.size(); i++) {
      String problem = problem(elements.get(i), i == 0);
      if (!problem.isEmpty()) {
        throw refused(text, problem);
      }
    }
    return new ExportPath(elements);
  }

  /** A name that is one element and nothing else, as it is. */
  static String element(String text) throws Refused {
    if (of(text).elements().size() > 1) {
      throw refused(text, "is more than a name");
    }
    return text;
  }

  private static String problem(String element, boolean first) {
    if (element.isEmpty()) {
      return "has an empty element";
    }
    if (element.equals(".") || element.equals("..")) {
      return "has the element \"" + element + "\"";
    }
    if (element.getBytes(StandardCharsets.UTF_8).length > LONGEST_ELEMENT) {
      return "has an element of more than " + LONGEST_ELEMENT + " bytes";
    }
    if (!isPlain(element)) {
      return "has characters that are not to be printed";
    }
    if (first && (element.equalsIgnoreCase(OWN) || element.startsWith(ARCHIVED))) {
      return "begins with \"" + element + "\", which is the plugin's own";
    }
    return "";
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
    text.codePoints().forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
    return new Refused("the directory \"" + shown + "\" " + why);
  }

  String name() {
    return elements.getLast();
  }

  List<String> parents() {
    return elements.subList(0, elements.size() - 1);
  }

  /** The paths that lead to this one, without itself. */
  List<ExportPath> ancestors() {
    return IntStream.range(1, elements.size())
        .mapToObj(i -> new ExportPath(elements.subList(0, i)))
        .toList();
  }

  @Override
  public String toString() {
    return String.join("/", elements);
  }
}
