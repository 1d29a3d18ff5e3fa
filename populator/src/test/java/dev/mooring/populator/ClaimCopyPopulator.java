package dev.mooring.populator;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Populator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Fills volumes with the files of another claim of any class, in the plugin's own process. */
final class ClaimCopyPopulator implements Populator {
  static final SourceKind CLAIM_COPY =
      new SourceKind("example.com", "v1", "claimcopies", "ClaimCopy");

  private final Function<ObjectKey, Optional<Path>> directoryOf;
  final List<Uid> cleanedUp = new ArrayList<>();

  ClaimCopyPopulator(Function<ObjectKey, Optional<Path>> directoryOf) {
    this.directoryOf = directoryOf;
  }

  @Override
  public List<SourceKind> kinds() {
    return List.of(CLAIM_COPY);
  }

  @Override
  public Attempt<Progress> populate(Request request) {
    ObjectKey source =
        ObjectKey.of(
            request.dataSource().key().namespace(),
            request.dataSource().object().get("spec") instanceof Map<?, ?> spec
                ? String.valueOf(spec.get("claim"))
                : "");
    Optional<Path> from = directoryOf.apply(source);
    if (from.isEmpty()) {
      return new Attempt.Failed<>(new Failure.Unreachable("claim " + source + " has no volume"));
    }
    Path to = Path.of(request.volume().attribute("path"));
    try (Stream<Path> files = Files.list(from.get())) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
      return Attempt.done(new Progress.Filled());
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("copying " + source + " failed: " + e));
    }
  }

  @Override
  public Attempt<CleanedUp> cleanUp(CleanUpRequest request) {
    cleanedUp.add(request.uid());
    return Attempt.done(new CleanedUp());
  }
}
