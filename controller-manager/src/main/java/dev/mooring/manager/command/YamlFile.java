package dev.mooring.manager.command;

import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

final class YamlFile {
  @FunctionalInterface
  private interface Parser<T extends @Nullable Object> {
    T parse(String text) throws BadBodyException;
  }

  private YamlFile() {}

  static @Nullable Object read(String flag, String file) throws UsageException {
    return parseFile(flag, file, text -> strictYaml().load(text));
  }

  static List<Object> readAll(String flag, String file) throws UsageException {
    return parseFile(
        flag,
        file,
        text -> {
          List<Object> documents = new ArrayList<>();
          strictYaml().loadAll(text).forEach(documents::add);
          return documents;
        });
  }

  /**
   * Reads an object as the API server does: keys are strings, and the last of equal keys counts.
   */
  static @Nullable Object readObject(String flag, String file) throws UsageException {
    return parseFile(
        flag, file, text -> strictYaml().load(YamlBodies.toJson(text, new ArrayList<>())));
  }

  private static Yaml strictYaml() {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return new Yaml(new SafeConstructor(options));
  }

  private static <T extends @Nullable Object> T parseFile(
      String flag, String file, Parser<T> parser) throws UsageException {
    try {
      return parser.parse(Files.readString(Path.of(file)));
    } catch (BadBodyException e) {
      throw new UsageException(
          "%s %s is not valid YAML (%s): correct the file"
              .formatted(flag, file, e.getMessage().replaceFirst("^yaml: ", "")));
    } catch (IOException | InvalidPathException e) {
      throw new UsageException(
          "%s %s cannot be read (%s): specify a file"
              .formatted(flag, file, FileProblem.findReason(e)));
    } catch (RuntimeException e) { // also of a tag that does not suit its value
      throw new UsageException(
          "%s %s is not valid YAML (%s): correct the file"
              .formatted(flag, file, YamlBodies.describe(e)));
    }
  }
}
