package dev.mooring.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the Java examples of the embedded API server's README. */
class ReadmeCodeTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\n(.*?)^```");

  private static final String FRAME =
      """
      import dev.mooring.apiserver.ApiServer;
      import dev.mooring.apiserver.access.RequestUser;
      import io.fabric8.kubernetes.api.model.ConfigMap;
      import io.fabric8.kubernetes.client.*;
      import io.javaoperatorsdk.operator.Operator;
      import io.javaoperatorsdk.operator.api.reconciler.*;
      import java.io.InputStream;
      import java.time.Duration;
      import java.util.List;

      class Examples {
        static class WidgetReconciler implements Reconciler<ConfigMap> {
          public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            return UpdateControl.noUpdate();
          }
        }
      %s}
      """;

  @TempDir private Path folder;

  private static JavaFileObject sourceOf(String code) {
    return new SimpleJavaFileObject(
        URI.create("string:///Examples.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return code;
      }
    };
  }

  @Test
  void examples_ofReadme_compile() throws Exception {
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("..", "apiserver-embedded", "README.md")))
            .results()
            .map(example -> example.group(1))
            .toList();
    assertThat(examples).hasSize(2);
    String methods =
        examples.stream()
            .map(example ->
                "void example%d(InputStream crd) throws Exception {%n%s}%n"
                    .formatted(examples.indexOf(example), example))
            .collect(Collectors.joining());
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    StringWriter errors = new StringWriter();
    boolean isCompiled =
        compiler
            .getTask(
                errors,
                null,
                null,
                List.of("-proc:none", "-d", folder.toString()),
                null,
                List.of(sourceOf(FRAME.formatted(methods))))
            .call();
    assertThat(isCompiled).as(errors.toString()).isTrue();
  }
}
