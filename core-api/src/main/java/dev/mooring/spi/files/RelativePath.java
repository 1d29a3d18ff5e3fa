package dev.mooring.spi.files;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A path below a root that leads nowhere else: one or more elements without separators, none of
 * them {@code .} or {@code ..}, and those of new directories none of a {@link DirectoryTree}'s own.
 * That no element is a link to elsewhere is seen to by the tree. Equal if the elements are;
 * immutable.
 */
public final class RelativePath {
  /** The directory at a root that has what a tree and its plugin keep there. */
  static final String OWN = ".mooring";

  /** What directories begin with that are being made, where there is no {@link #OWN}. */
  static final String DRAFT = ".mooring-new-";

  private static final int LONGEST_ELEMENT = 255;
  private static final int LONGEST_PATH = 1024;

  private final List<String> elements;

  private RelativePath(List<String> elements) {
    this.elements = List.copyOf(elements);
  }

  /**
   * Reads a path, elements with {@code /} between them. Of 1024 bytes in UTF-8 at most, 255 for an
   * element. {@code .mooring} and what begins with {@code .mooring-new-} are no elements, in upper
   * or lower case and wherever they stand: the root may lie below another tree's, or above it. What
   * may be there already is read by {@link #existing}.
   *
   * @param text whatever somebody wrote
   * @throws PathRefused if it is none; the message names the text and what is wrong with it
   */
  public static RelativePath of(String text) throws PathRefused {
    RelativePath path = existing(text);
    for (String element : path.elements) {
      if (isOwn(element)) {
        throw PathRefused.of(text, own(element));
      }
    }
    return path;
  }

  /**
   * As {@link #of}, for what may be there already: to find, measure or remove it, not to make it.
   * Earlier versions of plugins made directories with names that are refused now; of those only
   * {@code .mooring} at the root itself is none.
   *
   * @throws PathRefused if it is none; the message names the text and what is wrong with it
   */
  public static RelativePath existing(String text) throws PathRefused {
    if (text.isEmpty()) {
      throw PathRefused.of(text, "is empty");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
      throw PathRefused.of(text, "is longer than " + LONGEST_PATH + " bytes");
    }
    if (text.startsWith("/")) {
      throw PathRefused.of(text, "is absolute");
    }
    List<String> elements = List.of(text.split("/", -1));
    for (String element : elements) {
      String problem = problem(element);
      if (!problem.isEmpty()) {
        throw PathRefused.of(text, problem);
      }
    }
    String first = elements.getFirst();
    if (first.toLowerCase(Locale.ROOT).equals(OWN)) {
      throw PathRefused.of(text, own(first));
    }
    return new RelativePath(elements);
  }

  /**
   * A name that is one element and nothing else, as it is.
   *
   * @throws PathRefused if it is none, as {@link #of} has it
   */
  public static String element(String text) throws PathRefused {
    if (of(text).elements.size() > 1) {
      throw PathRefused.of(text, "is more than a name");
    }
    return text;
  }

  /**
   * What an administrator's path says beyond a root. It may have characters that are not to be
   * printed, and be of any length: such a directory may be there.
   *
   * @param root absolute and normalized
   * @param path absolute
   * @throws PathRefused if it is not normalized, does not lie below the root, or has an element of
   *     a tree's own
   */
  public static RelativePath below(Path root, Path path) throws PathRefused {
    if (!path.equals(path.normalize()) || !path.startsWith(root) || path.equals(root)) {
      throw PathRefused.of(path.toString(), "does not lie below " + root);
    }
    Path rest = root.relativize(path);
    List<String> elements =
        IntStream.range(0, rest.getNameCount()).mapToObj(i -> rest.getName(i).toString()).toList();
    for (String element : elements) {
      if (isOwn(element)) {
        throw PathRefused.of(path.toString(), own(element));
      }
    }
    RelativePath below = new RelativePath(elements);
    if (!isSame(root, below, path)) {
      throw PathRefused.of(path.toString(), "has a name that has no characters on this platform");
    }
    return below;
  }

  private static boolean isSame(Path root, RelativePath below, Path path) {
    try {
      return root.resolve(below.toString()).equals(path);
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
    if (element.getBytes(StandardCharsets.UTF_8).length > LONGEST_ELEMENT) {
      return "has an element of more than " + LONGEST_ELEMENT + " bytes";
    }
    if (!element.codePoints().allMatch(RelativePath::isPlain)) {
      return "has characters that are not to be printed";
    }
    return "";
  }

  private static boolean isOwn(String element) {
    String lower = element.toLowerCase(Locale.ROOT); // some file systems do not tell them apart
    return lower.equals(OWN) || lower.startsWith(DRAFT);
  }

  private static String own(String element) {
    return "has the element \"" + element + "\", which is the plugin's own";
  }

  /** No control character, no half of a surrogate pair, nothing that only changes directions. */
  static boolean isPlain(int c) {
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

  /** The names from the root on; never empty. */
  public List<String> elements() {
    return elements;
  }

  /** The last element. */
  public String name() {
    return elements.getLast();
  }

  /** The paths that lead to this one, the shortest first, without itself. */
  public List<RelativePath> ancestors() {
    return IntStream.range(1, elements.size())
        .mapToObj(i -> new RelativePath(elements.subList(0, i)))
        .toList();
  }

  /** Whether one of the two is the other, or lies in it. */
  public boolean meets(RelativePath other) {
    int common = Math.min(elements.size(), other.elements.size());
    return elements.subList(0, common).equals(other.elements.subList(0, common));
  }

  /** Whether it is below these elements, or is these. */
  public boolean startsWith(String... above) {
    return elements.size() >= above.length
        && elements.subList(0, above.length).equals(List.of(above));
  }

  /**
   * The elements, for the file system.
   *
   * @throws InvalidPathException if the platform's encoding has no such name
   */
  List<Path> names() {
    return elements.stream().map(RelativePath::name).toList();
  }

  /** The JVM takes the encoding of names from the process's locale. */
  private static Path name(String element) {
    try {
      return Path.of(element);
    } catch (InvalidPathException e) {
      throw new InvalidPathException(
          element,
          "the process's encoding of names, "
              + System.getProperty("sun.jnu.encoding")
              + ", has no such name; start the process with LC_ALL=C.UTF-8");
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
   * The elements with {@code /} between them. Of a path that {@link #of} gave it reads the same
   * one.
   */
  @Override
  public String toString() {
    return String.join("/", elements);
  }
}
