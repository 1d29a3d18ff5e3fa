package dev.mooring.it.docs;

import dev.mooring.manager.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Main class of a process that runs several commands one after the other, which saves the starts of
 * JVMs. It prints every command like a shell.
 */
final class TranscriptRunner {
  private TranscriptRunner() {}

  /**
   * Runs the commands of a file.
   *
   * @param args the file, then arguments that commands with the flag {@code --plugins} get
   */
  public static void main(String[] args) throws IOException {
    for (String command : Files.readAllLines(Path.of(args[0]))) {
      System.out.println("$ mooring " + command);
      List<String> words = List.of(command.split(" "));
      boolean hasPlugins =
          Main.commandLine()
                  .getSubcommands()
                  .get(words.getFirst())
                  .getCommandSpec()
                  .findOption("--plugins")
              != null;
      Main.execute(
          hasPlugins
              ? Stream.concat(words.stream(), List.of(args).stream().skip(1)).toArray(String[]::new)
              : words.toArray(String[]::new));
    }
  }
}
