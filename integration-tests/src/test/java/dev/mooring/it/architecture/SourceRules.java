package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Limits of main sources, checked with javac's parser. */
abstract class SourceRules {
  private static final Path CHECKOUT = Path.of("..");
  private static final int FILES_PER_TASK = 200; // bounds the memory for trees

  private static final int MAX_FILE_LINES = 400;
  private static final int MAX_METHOD_LINES = 40;
  private static final int MAX_PARAMETERS = 5;
  private static final Set<String> CATCH_ALL = Set.of("Exception", "Throwable", "Error");

  // protobuf field numbers appear once, as constants of their message; decoders use the names
  private static final Pattern FIELD_NUMBER =
      Pattern.compile("\\bcase [1-9]|[!=]= [1-9]|readSingleField\\([^,]*, [1-9]");
  private static final Pattern DECODER = Pattern.compile(".*/(mooring|kube)/wire/\\w+\\.java");

  // these classes catch everything, so that a failure ends one key, plugin call or request
  private static final Pattern MAY_CATCH_ALL =
      Pattern.compile(".*/(reconcile/Worker|Guarded\\w+)\\.java");

  private static final Pattern MAY_HAVE_LONG_METHODS =
      Pattern.compile(
          ".*/("
              // decoders with local variables: a draft would cost an allocation per object
              + "mooring/wire/(MetaDecoder|WorkloadKinds)"
              + ")\\.java");

  private static final Pattern MAY_HAVE_MANY_PARAMETERS =
      Pattern.compile(
          ".*/("
              // additional constructors that keep binary compatibility with plugins and tests
              + "model/(Meta|Pod|Volume)|spi/Provisioner|decide/(AttachTarget|ClaimView)"
              // a path in the trie: a record would cost an allocation per level and write
              + "|informer/PersistentMap"
              + ")\\.java");

  private static final class Source extends SimpleJavaFileObject {
    private final String path;
    private final String text;

    Source(String path, String text) {
      super(URI.create("string:///" + path), Kind.SOURCE);
      this.path = path;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Scanner extends TreeScanner<Void, Void> {
    private final Source source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> violations = new ArrayList<>();

    Scanner(Source source, CompilationUnitTree unit, SourcePositions positions) {
      this.source = source;
      this.unit = unit;
      this.positions = positions;
    }

    private void report(long line, String violation) {
      violations.add(source.path + ":" + line + " " + violation);
    }

    private void report(Tree tree, String violation) {
      report(unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree)), violation);
    }

    List<String> findViolations() {
      List<String> lines = source.text.lines().toList();
      if (lines.size() > MAX_FILE_LINES) {
        report(lines.size(), "a file has more than " + MAX_FILE_LINES + " lines");
      }
      if (DECODER.matcher(source.path).matches()) {
        IntStream.range(0, lines.size())
            .filter(i -> FIELD_NUMBER.matcher(lines.get(i)).find())
            .forEach(i -> report(i + 1, "a field number is no constant of its message"));
      }
      scan(unit, null);
      return violations;
    }

    @Override
    public Void visitImport(ImportTree tree, Void none) {
      if (tree.getQualifiedIdentifier().toString().endsWith(".*")) {
        report(tree, "an import names no type");
      }
      return null;
    }

    @Override
    public Void visitCatch(CatchTree tree, Void none) {
      Tree type = tree.getParameter().getType();
      List<? extends Tree> types =
          type instanceof UnionTypeTree union ? union.getTypeAlternatives() : List.of(type);
      boolean catchesAll =
          types.stream()
              .map(caught -> caught.toString().replace("java.lang.", ""))
              .anyMatch(CATCH_ALL::contains);
      if (catchesAll && !MAY_CATCH_ALL.matcher(source.path).matches()) {
        report(tree, "a handler catches everything");
      }
      return super.visitCatch(tree, null);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void none) {
      boolean isOverride =
          tree.getModifiers().getAnnotations().stream()
              .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
      if (tree.getParameters().size() > MAX_PARAMETERS
          && !isOverride
          && !isCompactConstructor(tree)
          && !MAY_HAVE_MANY_PARAMETERS.matcher(source.path).matches()) {
        report(tree, "a method has more than " + MAX_PARAMETERS + " parameters");
      }
      if (tree.getBody() != null
          && countLines(tree.getBody()) > MAX_METHOD_LINES
          && !MAY_HAVE_LONG_METHODS.matcher(source.path).matches()) {
        report(tree, "a method has more than " + MAX_METHOD_LINES + " lines");
      }
      return super.visitMethod(tree, null);
    }

    // A compact constructor has the parameters of its record, but no list of them.
    private boolean isCompactConstructor(MethodTree tree) {
      int start = (int) positions.getStartPosition(unit, tree);
      return tree.getReturnType() == null
          && !source.text.substring(start, source.text.indexOf('{', start)).contains("(");
    }

    private long countLines(BlockTree body) {
      int start = (int) positions.getStartPosition(unit, body);
      int end = (int) positions.getEndPosition(unit, body);
      return source
          .text
          .substring(start, end)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("//"))
          .count();
    }
  }

  private static List<String> findViolations(List<Source> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> violations = new ArrayList<>();
    for (int start = 0; start < sources.size(); start += FILES_PER_TASK) {
      List<Source> batch = sources.subList(start, Math.min(start + FILES_PER_TASK, sources.size()));
      JavacTask task =
          (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, batch);
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      Iterator<Source> next = batch.iterator(); // the units have the order of the sources
      for (CompilationUnitTree unit : task.parse()) {
        violations.addAll(new Scanner(next.next(), unit, positions).findViolations());
      }
    }
    return violations;
  }

  @Test
  void sources_ofProduct_keepLimits() throws IOException {
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(CHECKOUT)) {
      for (Path folder : modules.map(module -> module.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(folder)) {
          try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
              String path = CHECKOUT.relativize(file).toString();
              sources.add(new Source(path, Files.readString(file)));
            }
          }
        }
      }
    }
    assertThat(sources).hasSizeGreaterThan(1000);
    assertThat(findViolations(sources)).isEmpty();
  }

  @Test
  void sources_thatBreakLimits_areReported() throws IOException {
    String statements = "int a;\n".repeat(MAX_METHOD_LINES);
    String text =
        """
        import java.util.*;
        class A {
          record B(int a, int b, int c, int d, int e, int f) {
            B {}
          }
          void many(int a, int b, int c, int d, int e, int f) {}
          @Override void given(int a, int b, int c, int d, int e, int f) {}
          void catchAll() { try { } catch (IllegalStateException | Error e) { } }
          boolean first(int field) { return field == 1; }
          // a comment
          void longMethod() {
            // a comment does not count
        """
            + statements
            + "}}\n"
            + "// a comment\n".repeat(MAX_FILE_LINES);
    assertThat(findViolations(List.of(new Source("m/kube/wire/A.java", text))))
        .extracting(violation -> violation.replaceFirst(".*java:", ""))
        .containsExactlyInAnyOrder(
            "453 a file has more than 400 lines",
            "9 a field number is no constant of its message",
            "1 an import names no type",
            "6 a method has more than 5 parameters",
            "8 a handler catches everything",
            "11 a method has more than 40 lines");
  }
}
