package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Optional;

/**
 * Removes, archives or leaves a volume's directory, as was decided when it was made
 * (spec/provisioner-lib.md 10 and 11.1). What is not written down as the volume's is not touched.
 * Thread-safe.
 */
final class NfsDeleter implements Deleter {
  private static final int LONGEST_NAME = 255;

  private final Exports exports;
  private final Optional<OnDelete> earlier;
  private final System.Logger log;

  /**
   * Of these exports.
   *
   * @param earlier what becomes of directories that nfs-subdir-external-provisioner has made; empty
   *     to leave them alone
   */
  NfsDeleter(Exports exports, Optional<OnDelete> earlier, System.Logger log) {
    this.exports = exports;
    this.earlier = earlier;
    this.log = log;
  }

  @Override
  public Attempt<Gone> delete(Request request) {
    String server = request.source().attribute("server");
    String path = Exports.canonical(request.source().attribute("path"));
    Optional<Export> export = exports.holding(server, path);
    if (export.isEmpty()) {
      return Attempt.rejected(
          server
              + ":"
              + path
              + " lies in none of the exports "
              + exports.all()
              + ": name its export in --plugin-setting nfs-exports");
    }
    Optional<String> problem = export.get().problem();
    if (problem.isPresent()) {
      return new Attempt.Failed<>(new Failure.Unreachable(problem.get()));
    }
    try {
      ExportNames.volume(request.volumeName());
      return delete(request, export.get(), export.get().relative(path));
    } catch (PathRefused e) {
      return Attempt.rejected(e.why());
    } catch (InvalidPathException e) {
      return Attempt.rejected("\"" + e.getInput() + "\" cannot be deleted: " + e.getReason());
    } catch (IllegalArgumentException e) {
      return Attempt.rejected(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Uncertain("interrupted"));
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("removing " + server + ":" + path + " failed: " + e));
    }
  }

  private Attempt<Gone> delete(Request request, Export export, RelativePath path)
      throws IOException, InterruptedException, PathRefused {
    export.lock().lockInterruptibly();
    try {
      Optional<DirectoryRecords.Entry> known = export.records().of(request.volumeName());
      if (known.isEmpty()) {
        known = adopted(request.volumeName(), export, path);
      }
      if (known.isEmpty()) {
        return unknown(request, export, path);
      }
      DirectoryRecords.Entry entry = known.get();
      if (!entry.path().equals(path)) {
        return Attempt.rejected(
            "volume "
                + request.volumeName()
                + " was made at \""
                + entry.path()
                + "\", not at \""
                + path
                + "\": nothing is touched");
      }
      OnDelete fate = fate(request, entry);
      Optional<String> kept = fate == OnDelete.RETAIN ? Optional.empty() : kept(export, path);
      if (kept.isPresent()) {
        return new Attempt.Failed<>(new Failure.InUse(kept.get()));
      }
      prepare(entry, fate, export);
      if (fate != OnDelete.DELETE) {
        return Attempt.done(new Gone());
      }
    } finally {
      export.lock().unlock();
    }
    return remove(request, export);
  }

  /** Why the directory stays: other volumes lie in it. */
  private Optional<String> kept(Export export, RelativePath path) throws IOException {
    Optional<Export> inner = exports.conflicting(export, path);
    List<String> below = export.records().below(path);
    return inner.isEmpty() && below.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the directory \"%s\" is kept while the directories of other volumes lie in it: %s"
                .formatted(
                    path,
                    inner
                        .map(e -> "those of export " + e)
                        .orElseGet(() -> String.join(", ", below))));
  }

  /** What the volume says is to become of it, or else what was said when it was made. */
  private static OnDelete fate(Request request, DirectoryRecords.Entry entry) {
    return request.annotations().containsKey(OnDelete.ANNOTATION)
        ? OnDelete.of(request.annotations().getOrDefault(OnDelete.ANNOTATION, ""), "")
        : entry.onDelete();
  }

  /** Under the lock: whatever is to stay has its place, whatever is to go is moved aside. */
  private static void prepare(DirectoryRecords.Entry entry, OnDelete fate, Export export)
      throws IOException, PathRefused {
    RelativePath path = entry.path();
    boolean ours =
        export.records().owner(path).filter(entry.volume()::equals).isPresent()
            && export.tree().exists(path);
    switch (fate) {
      case RETAIN -> {
        if (ours) {
          export.records().put(entry.left());
        } else {
          export.records().remove(entry); // another volume follows it there, or nothing is there
        }
      }
      case ARCHIVE -> {
        if (ours) {
          export.tree().move(path, archive(path, entry.volume()));
        }
        export.records().remove(entry);
      }
      case DELETE -> {
        if (ours) {
          export.tree().discard(path, entry.volume());
        }
      }
    }
  }

  /**
   * A directory that bears the volume's name at its end, as nfs-subdir-external-provisioner names
   * them, is that volume's. With a pattern that leaves the name out several volumes may share one:
   * such are left alone.
   */
  private Optional<DirectoryRecords.Entry> adopted(String volume, Export export, RelativePath path)
      throws IOException {
    if (earlier.isEmpty()
        || !path.name().endsWith("-" + volume)
        || export.records().owner(path).isPresent()
        || !export.tree().exists(path)) {
      return Optional.empty();
    }
    DirectoryRecords.Entry entry =
        new DirectoryRecords.Entry(volume, path, "", earlier.get(), false);
    export.records().put(entry);
    return Optional.of(entry);
  }

  /** What was moved aside can take long: others are not kept waiting. */
  private static Attempt<Gone> remove(Request request, Export export)
      throws IOException, InterruptedException {
    export.tree().removeDiscarded(request.volumeName());
    export.lock().lockInterruptibly();
    try {
      Optional<DirectoryRecords.Entry> entry = export.records().of(request.volumeName());
      if (entry.isPresent()) {
        export.records().remove(entry.get());
      }
      return Attempt.done(new Gone());
    } finally {
      export.lock().unlock();
    }
  }

  private Attempt<Gone> unknown(Request request, Export export, RelativePath path)
      throws IOException {
    Optional<String> owner = export.records().owner(path);
    if (owner.isPresent() || !export.tree().exists(path)) {
      log.log(
          System.Logger.Level.WARNING,
          () ->
              "the directory \""
                  + path
                  + "\" of volume "
                  + request.volumeName()
                  + owner.map(o -> " is that of volume " + o + " now").orElse(" was not there"));
      return Attempt.done(new Gone());
    }
    return Attempt.rejected(
        "the directory \""
            + path
            + "\" of "
            + export
            + " was not made by this plugin for volume "
            + request.volumeName()
            + ": it is left alone; remove it by hand if nobody needs it, and this volume will go");
  }

  /** Says what it was and, as no two volumes share a name, never that of another archive. */
  private static RelativePath archive(RelativePath path, String volume) throws PathRefused {
    String flat = path.toString().replace('/', '-');
    String name = ExportNames.ARCHIVED + (flat.endsWith(volume) ? flat : flat + "-" + volume);
    return RelativePath.of(
        name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME
            ? ExportNames.ARCHIVED + volume
            : name);
  }
}
