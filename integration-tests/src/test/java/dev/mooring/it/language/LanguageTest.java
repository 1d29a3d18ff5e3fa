package dev.mooring.it.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Limits vague language in sources and documents. Each test prints its figure; lower the limit
 * after an improvement.
 */
class LanguageTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Pattern ONE_WORD_NAME = Pattern.compile("[A-Z][a-z0-9]*");

  private static List<JavaText> sources = List.of();
  private static List<JavaText> mainSources = List.of();
  private static List<String> mainTypes = List.of();
  private static List<String> pages = List.of();

  @BeforeAll
  static void readCheckout() throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(CHECKOUT)) {
      files = walk.filter(LanguageTest::isHandwritten).toList();
    }
    List<JavaText> allTexts = new ArrayList<>();
    List<JavaText> mainTexts = new ArrayList<>();
    List<String> mainNames = new ArrayList<>();
    List<String> documentTexts = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(".md")) {
        documentTexts.add(Files.readString(file));
        continue;
      }
      JavaText text = JavaText.parse(Files.readString(file));
      allTexts.add(text);
      if (file.toString().contains("/src/main/") && !file.toString().contains("/src/it/")) {
        mainTexts.add(text);
        mainNames.add(name.replace(".java", ""));
      }
    }
    sources = allTexts;
    mainSources = mainTexts;
    mainTypes = mainNames.stream().filter(type -> !type.equals("package-info")).toList();
    pages = documentTexts;
  }

  /** Excludes {@code Dialect}, which contains the phrases to avoid. */
  private static boolean isHandwritten(Path file) {
    String path = CHECKOUT.relativize(file).toString();
    boolean generated = path.contains("target/") || path.startsWith(".git/");
    return !generated
        && !path.startsWith("third-party/")
        && !path.endsWith("/Dialect.java")
        && (path.endsWith(".java") || path.endsWith(".md"));
  }

  private static double countPhrasesPerThousandWords(Stream<String> texts) {
    int wordCount = 0;
    int phraseCount = 0;
    for (String text : texts.toList()) {
      wordCount += Dialect.countWords(text);
      phraseCount += Dialect.findPhrases(text).size();
    }
    return 1000.0 * phraseCount / wordCount;
  }

  private static double printFigure(String figure, double value) {
    System.out.printf(Locale.ROOT, "language: %s: %.2f%n", figure, value);
    return value;
  }

  @Test
  void comments_dialectPhrasesPerThousandWords_stayBelowLimit() {
    assertThat(
            printFigure(
                "dialect phrases per 1,000 words of comments",
                countPhrasesPerThousandWords(sources.stream().flatMap(s -> s.comments().stream()))))
        .isLessThan(0.5);
  }

  @Test
  void texts_dialectPhrasesPerThousandWords_stayBelowLimit() {
    assertThat(
            printFigure(
                "dialect phrases per 1,000 words of string literals",
                countPhrasesPerThousandWords(sources.stream().flatMap(s -> s.texts().stream()))))
        .isLessThan(0.5);
  }

  @Test
  void pages_dialectPhrasesPerThousandWords_stayBelowLimit() {
    assertThat(
            printFigure(
                "dialect phrases per 1,000 words of documents",
                countPhrasesPerThousandWords(pages.stream().map(MarkdownText::extractProse))))
        .isLessThan(0.5);
  }

  @Test
  void pages_medianSentence_hasFewWords() {
    List<Integer> lengths =
        pages.stream().flatMap(p -> MarkdownText.countSentenceWords(p).stream()).sorted().toList();

    assertThat(printFigure("median sentence of documents, words", lengths.get(lengths.size() / 2)))
        .isLessThanOrEqualTo(16);
  }

  @Test
  void javadocs_vagueOpeners_stayBelowLimit() {
    List<String> javadocs = mainSources.stream().flatMap(s -> s.javadocs().stream()).toList();
    long vagueOpeners = javadocs.stream().filter(Dialect::hasVagueOpener).count();

    assertThat(
            printFigure(
                "Javadocs with a vague opener, percent", 100.0 * vagueOpeners / javadocs.size()))
        .isLessThan(1);
  }

  @Test
  void javadocs_perMainFile_stayBelowLimit() {
    double javadocs = mainSources.stream().mapToInt(s -> s.javadocs().size()).sum();

    assertThat(printFigure("Javadocs per main file", javadocs / mainSources.size()))
        .isLessThanOrEqualTo(2);
  }

  @Test
  void types_oneWordNames_stayBelowLimit() {
    double oneWordNames =
        mainTypes.stream().filter(t -> ONE_WORD_NAME.matcher(t).matches()).count();

    assertThat(
            printFigure(
                "main types with a name of one word, percent",
                100 * oneWordNames / mainTypes.size()))
        .isLessThan(5);
  }

  @Test
  void glossary_terms_areThirtyToSixty() throws IOException {
    assertThat(readGlossaryTerms()).hasSizeBetween(30, 60).doesNotHaveDuplicates();
  }

  @Test
  void types_oneWordNames_areInGlossary() throws IOException {
    List<String> terms = readGlossaryTerms();
    List<String> unknown =
        mainTypes.stream()
            .filter(type -> ONE_WORD_NAME.matcher(type).matches() && !terms.contains(type))
            .sorted()
            .toList();
    printFigure("main types of one word outside the glossary", unknown.size());

    assertThat(unknown).isEmpty();
  }

  /** Terms of the table in docs/dev/glossary.md. */
  private static List<String> readGlossaryTerms() throws IOException {
    Pattern row = Pattern.compile("^\\| (\\w+) \\|.*");
    try (Stream<String> lines = Files.lines(CHECKOUT.resolve("docs/dev/glossary.md"))) {
      return lines
          .map(row::matcher)
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .filter(term -> !term.equals("Term"))
          .toList();
    }
  }

  @Test
  void javaText_commentsAndLiterals_areSeparated() {
    JavaText text =
        JavaText.parse(
            """
            /** Binds a {@code claim}. */
            class A { // why
              String url = "http://x"; char quote = '"';
              /* block
               * comment */
            }
            """);

    assertThat(text.comments()).containsExactly("Binds a claim.", "why", "block comment");
    assertThat(text.javadocs()).containsExactly("Binds a claim.");
    assertThat(text.texts()).containsExactly("http://x");
  }

  @Test
  void dialect_phraseAcrossLines_isFound() {
    assertThat(Dialect.findPhrases("searched in\n  vain; a stolden told word"))
        .containsExactly("in vain", "told");
    assertThat(Dialect.hasVagueOpener("Whether it binds")).isTrue();
    assertThat(Dialect.hasVagueOpener("Binds a claim")).isFalse();
  }

  @Test
  void markdown_codeAndTables_endSentences() {
    assertThat(
            MarkdownText.countSentenceWords(
                "The binder binds a claim.\n\n```\ntold in vain by nobody at all\n```\n\n| a | the volume stays here |"))
        .containsExactly(5, 4);
  }
}
