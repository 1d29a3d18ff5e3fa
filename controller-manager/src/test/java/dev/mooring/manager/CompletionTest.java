package dev.mooring.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.AutoComplete;

/** Runs the completion script in bash. */
class CompletionTest {
  private static final Path BASH = Path.of("/bin/bash");

  @TempDir private Path folder;

  private String completed(String words) throws Exception {
    assumeTrue(Files.isExecutable(BASH));
    Path script = folder.resolve("completion.bash");
    Files.writeString(script, AutoComplete.bash("mooring", Main.commandLine()));
    String[] typed = words.split(" ", -1);
    Process bash =
        new ProcessBuilder(
                BASH.toString(),
                "--norc",
                "-c",
                "source '%s'; COMP_WORDS=(%s ''); COMP_CWORD=%d; COMP_WORDS[%d]='%s'; _complete_mooring; echo ${COMPREPLY[@]}"
                    .formatted(
                        script, words, typed.length - 1, typed.length - 1, typed[typed.length - 1]))
            .redirectError(
                ProcessBuilder.Redirect.DISCARD) // compopt works only in a real completion
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output.strip();
  }

  @ParameterizedTest
  @CsvSource({
    "mooring exp, explain",
    "mooring run --kcm, --kcm-volume-controllers-off",
    "mooring migrate nfs, nfs-subdir",
  })
  void completion_prefix_isCompleted(String words, String expected) throws Exception {
    assertThat(completed(words)).isEqualTo(expected);
  }

  @Test
  void completion_flagWithChoices_listsThem() throws Exception {
    assertThat(completed("mooring run --mode ").split(" ")).contains("beside", "replace");
  }
}
