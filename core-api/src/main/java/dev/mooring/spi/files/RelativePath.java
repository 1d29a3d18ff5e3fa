package dev.mooring.spi.files;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Relative path that stays below its root: one or more elements without separators. No element is
 * {@code .} or {@code ..}, and paths for new directories contain no names that a {@link
 * DirectoryTree} reserves. The tree ensures that no element is a link. Paths with equal elements
 * are equal. Immutable.
 */
public final class RelativePath {
  /** Private directory of a tree and its plugin at the root. */
  static final String PRIVATE = ".mooring";

  /** Prefix of incomplete directories in a tree without {@link #PRIVATE}. */
  static final String DRAFT = ".mooring-new-";

  private static final int MAX_ELEMENT_BYTES = 255;
  private static final int MAX_PATH_BYTES = 1024;

  private final List<String> elements;

  private RelativePath(List<String> elements) {
    this.elements = List.copyOf(elements);
  }

  /**
   * Parses a path for a new directory, with {@code /} between elements. The path has at most 1024
   * bytes in UTF-8, each element at most 255. No element may be {@code .mooring} or start with
   * {@code .mooring-new-}, in upper or lower case, because the root may be inside another tree or
   * contain one. {@link #existing} parses paths of directories that may exist.
   *
   * @param text untrusted text
   * @throws PathRejectedException if the text is invalid; the message names the text and the reason
   */
  public static RelativePath of(String text) throws PathRejectedException {
    RelativePath path = existing(text);
    for (String element : path.elements) {
      if (isReserved(element)) {
        throw PathRejectedException.of(text, reservedElementProblem(element));
      }
    }
    return path;
  }

  /**
   * Parses a path as {@link #of} does, but to find, measure or delete an existing directory, not to
   * create one. Earlier versions of plugins created directories with names that are reserved now.
   * Only {@code .mooring} as first element is still rejected.
   *
   * @throws PathRejectedException if the text is invalid; the message names the text and the reason
   */
  public static RelativePath existing(String text) throws PathRejectedException {
    if (text.isEmpty()) {
      throw PathRejectedException.of(text, "is empty");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_PATH_BYTES) {
      throw PathRejectedException.of(text, "is longer than " + MAX_PATH_BYTES + " bytes");
    }
    if (text.startsWith("/")) {
      throw PathRejectedException.of(text, "is absolute");
    }
    List<String> elements = List.of(text.split("/", -1));
    for (String element : elements) {
      String problem = problem(element);
      if (!problem.isEmpty()) {
        throw PathRejectedException.of(text, problem);
      }
    }
    String firstElement = elements.getFirst();
    if (firstElement.toLowerCase(Locale.ROOT).equals(PRIVATE)) {
      throw PathRejectedException.of(text, reservedElementProblem(firstElement));
    }
    return new RelativePath(elements);
  }

  /**
   * Validates that the text is a single element, and returns it unchanged.
   *
   * @throws PathRejectedException if the text is not a single element that {@link #of} accepts
   */
  public static String element(String text) throws PathRejectedException {
    if (of(text).elements.size() > 1) {
      throw PathRejectedException.of(text, "has more than one element");
    }
    return text;
  }

  /**
   * Returns the part of an administrator's path below a root. It may contain non-printable
   * characters and have any length, because such a directory may exist.
   *
   * @param root absolute and normalized
   * @param path absolute
   * @throws PathRejectedException if the path is not normalized, is not below the root, or contains
   *     a reserved element
   */
  public static RelativePath below(Path root, Path path) throws PathRejectedException {
    if (!path.equals(path.normalize()) || !path.startsWith(root) || path.equals(root)) {
      throw PathRejectedException.of(path.toString(), "is not below " + root);
    }
    Path remainder = root.relativize(path);
    List<String> elements =
        IntStream.range(0, remainder.getNameCount())
            .mapToObj(i -> remainder.getName(i).toString())
            .toList();
    for (String element : elements) {
      if (isReserved(element)) {
        throw PathRejectedException.of(path.toString(), reservedElementProblem(element));
      }
    }
    RelativePath remainderPath = new RelativePath(elements);
    if (!isSame(root, remainderPath, path)) {
      throw PathRejectedException.of(
          path.toString(), "has a name that this platform cannot encode");
    }
    return remainderPath;
  }

  private static boolean isSame(Path root, RelativePath relativePath, Path path) {
    try {
      return root.resolve(relativePath.toString()).equals(path);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static String problem(String element) {
    if (element.isEmpty()) {
      return "has an empty element";
    }
    if (element.equals(".") || element.equals("..")) {
      return "has the element \"" + element + "\"";
    }
    if (element.getBytes(StandardCharsets.UTF_8).length > MAX_ELEMENT_BYTES) {
      return "has an element of more than " + MAX_ELEMENT_BYTES + " bytes";
    }
    if (!element.codePoints().allMatch(RelativePath::isPrintable)) {
      return "contains non-printable characters";
    }
    return "";
  }

  private static boolean isReserved(String element) {
    String lower = element.toLowerCase(Locale.ROOT); // some file systems ignore case
    return lower.equals(PRIVATE) || lower.startsWith(DRAFT);
  }

  private static String reservedElementProblem(String element) {
    return "has the element \"" + element + "\", which is reserved";
  }

  /**
   * Rejects control characters, unpaired surrogates and format characters, for example those that
   * change the text direction.
   */
  static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  /** Returns the elements, starting at the root; never empty. */
  public List<String> elements() {
    return elements;
  }

  /** Returns the last element. */
  public String name() {
    return elements.getLast();
  }

  /** Returns the paths of all parent directories, shortest first. */
  public List<RelativePath> ancestors() {
    return IntStream.range(1, elements.size())
        .mapToObj(i -> new RelativePath(elements.subList(0, i)))
        .toList();
  }

  /** Returns whether the paths are equal or one contains the other. */
  public boolean overlaps(RelativePath other) {
    int common = Math.min(elements.size(), other.elements.size());
    return elements.subList(0, common).equals(other.elements.subList(0, common));
  }

  /** Returns whether the path starts with these elements or equals them. */
  public boolean startsWith(String... prefix) {
    return elements.size() >= prefix.length
        && elements.subList(0, prefix.length).equals(List.of(prefix));
  }

  /**
   * Returns the elements as paths of the default file system.
   *
   * @throws InvalidPathException if the platform's encoding cannot represent an element
   */
  List<Path> names() {
    return elements.stream().map(RelativePath::name).toList();
  }

  // The JVM derives the encoding of file names from the process's locale.
  private static Path name(String element) {
    try {
      return Path.of(element);
    } catch (InvalidPathException e) {
      throw new InvalidPathException(
          element,
          "the process's file name encoding, %s, cannot represent it; start the process with LC_ALL=C.UTF-8"
              .formatted(System.getProperty("sun.jnu.encoding")));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RelativePath path && elements.equals(path.elements);
  }

  @Override
  public int hashCode() {
    return elements.hashCode();
  }

  /**
   * Returns the elements with {@code /} between them. {@link #existing} parses the text of a parsed
   * path to an equal path.
   */
  @Override
  public String toString() {
    return String.join("/", elements);
  }
}
