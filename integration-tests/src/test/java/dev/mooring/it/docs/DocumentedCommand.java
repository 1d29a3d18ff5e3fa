package dev.mooring.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
          "mooring", "./mooring", "./mvnw", "mvn", "kubectl", "helm", "docker", "skopeo", "tar",
          "cp", "ln", "mkdir", "man", "source", "sha256sum", "dpkg", "dpkg-deb", "apt-get", "jq",
          "for", "do", "done");

  private static final Pattern FENCE = Pattern.compile(" *```(\\w*) *");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Z_]+=.*");

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<space>[ \\t]+)|(?<comment>#.*)|(?<end>\\|\\||&&|[|;&])|(?<redirect>[<>]+(?!\\())|(?<open><\\()|(?<close>\\))|(?<word>(?:'[^']*'|\"[^\"]*\"|\\$\\([^)]*\\)|[^\\s'\"|;&<>)]|(?<!\\s)\\))+)",
          Pattern.DOTALL);

  boolean isMooring() {
    String program = words.getFirst();
    return program.equals("mooring")
        || program.equals("./mooring")
        || program.endsWith("/mooring")
        || isKubectlPlugin();
  }

  private boolean isKubectlPlugin() {
    return words.size() > 1 && words.get(0).equals("kubectl") && words.get(1).equals("mooring");
  }

  /** Returns the arguments of {@code mooring}, without words that stand for more arguments. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (String word : words.subList(isKubectlPlugin() ? 2 : 1, words.size())) {
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

  /** Returns the commands in the code blocks of a page that have no language or the language sh. */
  static List<DocumentedCommand> of(Path page) throws IOException {
    List<DocumentedCommand> commands = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        continue;
      }
      int begin = i + 1;
      for (i = begin; !lines.get(i).matches(" *``` *"); i++) {}
      if (fence.group(1).isEmpty() || fence.group(1).equals("sh")) {
        addBlock(page.getFileName() + ":" + begin, lines.subList(begin, i), commands);
      }
    }
    return commands;
  }

  private static void addBlock(String place, List<String> lines, List<DocumentedCommand> commands) {
    String text = String.join("\n", lines).strip();
    boolean hasPrompt = text.startsWith("$ ");
    List<DocumentedCommand> block = new ArrayList<>();
    for (String line : text.replaceAll("\\\\\n\\s*", " ").split("\n(?=\\s*(?![{}]))")) {
      if (hasPrompt && !line.startsWith("$ ")) {
        continue; // output
      }
      split(place, hasPrompt ? line.substring(2) : line.strip(), block);
    }
    boolean isCommands =
        !block.isEmpty()
            && (block.getFirst().isMooring() || PROGRAMS.contains(block.getFirst().words.getFirst()));
    if (isCommands) {
      commands.addAll(block);
    }
  }

  static void split(String place, String line, List<DocumentedCommand> commands) {
    List<String> words = new ArrayList<>();
    boolean isTarget = false;
    Matcher token = TOKEN.matcher(line);
    for (int at = 0; at < line.length(); at = token.end()) {
      if (!token.find(at) || token.start() != at) {
        throw new IllegalArgumentException(place + ": cannot read " + line.substring(at));
      }
      if (token.group("end") != null || token.group("open") != null || token.group("close") != null) {
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
