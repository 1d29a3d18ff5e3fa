package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a new volume a directory that is another volume's, lies in another volume's, or has
 * another volume's in it. The records do not have the volumes of earlier provisioners and of other
 * exports, so that a directory without a record is not free.
 */
final class PlacementCheck {
  private final Exports exports;
  private final Export export;
  private final DirectoryRecords records;

  /** Checks directories of an export. The caller holds its lock. */
  PlacementCheck(Exports exports, Export export) {
    this.exports = exports;
    this.export = export;
    this.records = export.records();
  }

  /**
   * Checks the directory of a new volume.
   *
   * @param reuse whether a directory that an earlier volume has left is used again
   * @return the volume that has left the directory; empty if no record has it
   */
  Optional<DirectoryRecords.Entry> check(
      DirectoryRecords.Entry entry, SubdirPattern.Placement placement, boolean reuse)
      throws IOException, PathRefused, InterruptedException {
    Optional<Export> other = exports.conflicting(export, entry.path());
    if (other.isPresent()) {
      throw new PathRefused(
          "the directory \"%s\" of %s meets export %s: choose that export by the class's parameter share, or another pathPattern"
              .formatted(entry.path(), export, other.get()));
    }
    List<RelativePath> ancestors = entry.path().ancestors();
    for (int depth = 0; depth < ancestors.size(); depth++) {
      checkAncestor(entry, ancestors.get(depth), depth < placement.fixed());
    }
    Optional<String> owner = records.owner(entry.path());
    if (owner.isPresent()) {
      return Optional.of(left(owner.get(), entry, reuse));
    }
    if (export.tree().exists(entry.path())) {
      checkReuse(entry, placement, reuse);
    }
    return Optional.empty();
  }

  private void checkAncestor(DirectoryRecords.Entry entry, RelativePath above, boolean isFixed)
      throws IOException, PathRefused, InterruptedException {
    Optional<String> owner = records.owner(above);
    if (owner.isPresent()) {
      throw new PathRefused(
          "the directory \"%s\" would lie in that of %s: choose another pathPattern"
              .formatted(entry.path(), shown(owner.get(), entry.namespace())));
    }
    if (export.tree().exists(above)
        && !records.isPassage(above)
        && !(isFixed && isPassageOfEarlierProvisioner(above))) {
      throw new PathRefused(
          "the directory \"%s\" would lie in \"%s\" of %s, which exists without a record and may be an earlier provisioner's volume: choose another directory"
              .formatted(entry.path(), above, export));
    }
  }

  /** Volumes have names of their own, or files in them; an export's root has records. */
  private boolean isPassageOfEarlierProvisioner(RelativePath above)
      throws IOException, PathRefused, InterruptedException {
    return !above.name().contains("-pvc-")
        && !export.tree().exists(RelativePath.existing(above + "/.mooring"))
        && export.tree().hasDirectoriesOnly(above);
  }

  /** Refuses a volume that still has the directory, or that has left it to others. */
  private DirectoryRecords.Entry left(String owner, DirectoryRecords.Entry entry, boolean reuse)
      throws IOException, PathRefused {
    Optional<DirectoryRecords.Entry> other = records.of(owner);
    boolean left = other.isPresent() && other.get().retained();
    boolean ours = left && other.get().namespace().equals(entry.namespace());
    if (!ours || !reuse) {
      throw new PathRefused(
          "the directory \""
              + entry.path()
              + "\" is that of "
              + shown(owner, entry.namespace())
              + (left ? ", which was deleted and has left it" : "")
              + (ours
                  ? ": to use it again, set the class's parameter reuseRetained to \"true\""
                  : ": choose another pathPattern"));
    }
    return other.get();
  }

  private void checkReuse(
      DirectoryRecords.Entry entry, SubdirPattern.Placement placement, boolean reuse)
      throws IOException, PathRefused {
    List<String> below = records.below(entry.path());
    if (!below.isEmpty()) {
      throw new PathRefused(
          "the directory \"%s\" is there already and is no volume's: the directory of %s lies in it; choose another pathPattern"
              .formatted(entry.path(), shown(below.getFirst(), entry.namespace())));
    }
    boolean adoptable =
        placement.adoptable()
            && !export.tree().exists(RelativePath.existing(entry.path() + "/.mooring"));
    if (!adoptable || !reuse && !entry.path().name().endsWith("-" + entry.volume())) {
      throw new PathRefused(
          "the directory \""
              + entry.path()
              + "\" of "
              + export
              + " is there already and is no volume's: move it away, or choose another pathPattern"
              + (adoptable
                  ? ", or set the class's parameter reuseRetained to \"true\" to adopt it"
                  : ""));
    }
  }

  /** Names a volume to its own namespace only. */
  private String shown(String volume, String namespace) throws IOException {
    return records.of(volume).filter(e -> e.namespace().equals(namespace)).isPresent()
        ? "volume " + volume
        : "a volume of another namespace";
  }
}
