package dev.mooring.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Simple command that a page prints, without redirections, pipes and comments.
 *
 * @param place page and line
 * @param words program and arguments
 */
record DocumentedCommand(String place, List<String> words) {
  static final Path ROOT = Path.of(System.getProperty("mooring.root", ".."));

  /** Programs that a block of commands may begin with. */
  static final Set<String> PROGRAMS =
      Set.of(
          "mooring",
          "./mooring",
          "./mvnw",
          "mvn",
          "kubectl",
          "helm",
          "docker",
          "skopeo",
          "tar",
          "cp",
          "ln",
          "mkdir",
          "man",
          "source",
          "sha256sum",
          "dpkg",
          "dpkg-deb",
          "apt-get",
          "curl",
          "jq",
          "for",
          "do",
          "done",
          "sort");

  private static final Pattern FENCE = Pattern.compile(" *```(\\w*) *");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Z_]+=.*");

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<space>[ \\t]+)|(?<comment>#[^\\n]*)|(?<end>\\|\\||&&|[|;&\\n])|(?<redirect>[<>]+(?!\\())|(?<open><\\()|(?<close>\\))|(?<word>(?:'[^']*'|\"[^\"]*\"|\\$\\([^)]*\\)|[^\\s'\"|;&<>)])+)",
          Pattern.DOTALL);

  boolean isMooring() {
    return argumentsAt() > 0;
  }

  /** Returns the index of the first argument of {@code mooring}; 0 for another program. */
  private int argumentsAt() {
    String program = words.getFirst();
    if (program.equals("mooring") || program.endsWith("/mooring")) {
      return 1;
    }
    if (words.size() > 1 && words.get(0).equals("kubectl") && words.get(1).equals("mooring")) {
      return 2;
    }
    for (int i = 1; i < words.size(); i++) { // in a container
      boolean isImage = program.equals("docker") && words.get(i).contains("/mooring:");
      if (isImage || words.get(i).equals("@/opt/mooring/arguments")) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Returns the arguments of {@code mooring}, without placeholders for more arguments. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (String word : words.subList(argumentsAt(), words.size())) {
      if (!word.equals("…") && !word.equals("...")) {
        arguments.add(word);
      } else if (word.equals("...") && arguments.getLast().matches("--[a-z-]+")) {
        arguments.removeLast(); // a flag whose value is left out
      }
    }
    return arguments;
  }

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    pages.add(ROOT.resolve("CONTRIBUTING.md"));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  /**
   * Code block of a page.
   *
   * @param place page and line
   * @param text lines without the indentation of a list
   */
  record CodeBlock(String place, String language, String text) {
    /** Returns whether the language promises commands. */
    boolean isShell() {
      return language.isEmpty() || language.equals("sh");
    }

    /** Returns the commands without the output that follows a prompt. */
    String script() {
      return text.startsWith("$ ")
          ? text.lines()
              .filter(line -> line.startsWith("$ "))
              .map(line -> line.substring(2))
              .collect(Collectors.joining("\n"))
          : text;
    }

    boolean beginsWithProgram() {
      String first = script().replaceFirst("^(?:[A-Z_]+=\\S+ )*", "").split("\\s", 2)[0];
      return PROGRAMS.contains(first) || first.endsWith("/mooring");
    }

    List<DocumentedCommand> commands() {
      List<DocumentedCommand> commands = new ArrayList<>();
      split(place, script().replaceAll("\\\\\n\\s*", " "), commands);
      return commands;
    }
  }

  static List<CodeBlock> blocks(Path page) throws IOException {
    List<CodeBlock> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        continue;
      }
      int begin = i + 1;
      for (i = begin; !lines.get(i).matches(" *``` *"); i++) {}
      String text = String.join("\n", lines.subList(begin, i)).stripIndent().strip();
      blocks.add(new CodeBlock(page.getFileName() + ":" + begin, fence.group(1), text));
    }
    return blocks;
  }

  /** Returns the commands in the code blocks of a page that have no language or the language sh. */
  static List<DocumentedCommand> of(Path page) throws IOException {
    return blocks(page).stream()
        .filter(CodeBlock::isShell)
        .flatMap(block -> block.commands().stream())
        .toList();
  }

  private static void split(String place, String line, List<DocumentedCommand> commands) {
    List<String> words = new ArrayList<>();
    boolean isTarget = false;
    Matcher token = TOKEN.matcher(line);
    for (int position = 0; position < line.length(); position = token.end()) {
      if (!token.find(position) || token.start() != position) {
        throw new IllegalArgumentException(place + ": cannot read " + line.substring(position));
      }
      if (token.group("end") != null
          || token.group("open") != null
          || token.group("close") != null) {
        add(place, words, commands);
        words = new ArrayList<>();
      } else if (token.group("redirect") != null) {
        isTarget = true;
      } else if (token.group("word") != null) {
        String word = token.group("word");
        if (!isTarget) {
          words.add(word.replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"));
        }
        isTarget = false;
      }
    }
    add(place, words, commands);
  }

  private static void add(String place, List<String> words, List<DocumentedCommand> commands) {
    List<String> left = new ArrayList<>(words);
    while (!left.isEmpty() && ASSIGNMENT.matcher(left.getFirst()).matches()) {
      left.removeFirst();
    }
    if (!left.isEmpty()) {
      commands.add(new DocumentedCommand(place, left));
    }
  }
}
