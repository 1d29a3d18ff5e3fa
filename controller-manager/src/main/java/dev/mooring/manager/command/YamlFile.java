package dev.mooring.manager.command;

import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

final class YamlFile {
  enum Repeats {
    REFUSED,
    LAST_COUNTS
  }

  private YamlFile() {}

  static @Nullable Object read(String flag, String file, Repeats repeats) throws UsageException {
    return parsed(flag, file, repeats, Yaml::load);
  }

  static List<Object> readAll(String flag, String file) throws UsageException {
    return parsed(
        flag,
        file,
        Repeats.REFUSED,
        (yaml, text) -> {
          List<Object> documents = new ArrayList<>();
          yaml.loadAll(text).forEach(documents::add);
          return documents;
        });
  }

  private static <T extends @Nullable Object> T parsed(
      String flag, String file, Repeats repeats, BiFunction<Yaml, String, T> parser)
      throws UsageException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(repeats == Repeats.LAST_COUNTS);
    try {
      return parser.apply(new Yaml(new SafeConstructor(options)), Files.readString(Path.of(file)));
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
