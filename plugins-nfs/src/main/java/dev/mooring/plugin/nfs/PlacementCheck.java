package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Rejects a directory for a new volume if it belongs to another volume, lies in another volume's
 * directory or contains one. Records do not cover volumes of earlier provisioners and of other
 * exports, so a directory without a record may be in use.
 */
final class PlacementCheck {
  private final NfsExports exports;
  private final NfsExport export;
  private final DirectoryRecords records;

  /**
   * @param export the caller holds its lock
   */
  PlacementCheck(NfsExports exports, NfsExport export) {
    this.exports = exports;
    this.export = export;
    this.records = export.records();
  }

  Optional<DirectoryRecords.Entry> check(
      DirectoryRecords.Entry entry, SubdirPattern.Placement placement, boolean reuse)
      throws IOException, PathRejectedException, InterruptedException {
    Optional<NfsExport> other = exports.findOverlapping(export, entry.path());
    if (other.isPresent()) {
      throw new PathRejectedException(
          "the directory \"%s\" of %s overlaps export %s: select that export with the class's parameter share, or choose another pathPattern"
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
      throws IOException, PathRejectedException, InterruptedException {
    Optional<String> owner = records.owner(above);
    if (owner.isPresent()) {
      throw new PathRejectedException(
          "the directory \"%s\" would lie in that of %s: choose another pathPattern"
              .formatted(entry.path(), shown(owner.get(), entry.namespace())));
    }
    if (export.tree().exists(above)
        && !records.isPassage(above)
        && !(isFixed && isPassageOfEarlierProvisioner(above))) {
      throw new PathRejectedException(
          "the directory \"%s\" would lie in \"%s\" of %s, which exists without a record and may belong to an earlier provisioner: choose another directory"
              .formatted(entry.path(), above, export));
    }
  }

  /**
   * Returns true if the directory has only subdirectories and no volume's name. An export's root is
   * checked by its records.
   */
  private boolean isPassageOfEarlierProvisioner(RelativePath above)
      throws IOException, PathRejectedException, InterruptedException {
    return !above.name().contains("-pvc-")
        && !export.tree().exists(RelativePath.existing(above + "/.mooring"))
        && export.tree().hasDirectoriesOnly(above);
  }

  private DirectoryRecords.Entry left(String owner, DirectoryRecords.Entry entry, boolean reuse)
      throws IOException, PathRejectedException {
    Optional<DirectoryRecords.Entry> other = records.of(owner);
    boolean left = other.isPresent() && other.get().retained();
    boolean ours = left && other.get().namespace().equals(entry.namespace());
    if (!ours || !reuse) {
      throw new PathRejectedException(
          "the directory \"%s\" belongs to %s%s%s"
              .formatted(
                  entry.path(),
                  shown(owner, entry.namespace()),
                  left ? ", which was deleted and kept its directory" : "",
                  ours
                      ? ": to reuse it, set the class's parameter reuseRetained to \"true\""
                      : ": choose another pathPattern"));
    }
    return other.get();
  }

  private void checkReuse(
      DirectoryRecords.Entry entry, SubdirPattern.Placement placement, boolean reuse)
      throws IOException, PathRejectedException {
    List<String> below = records.below(entry.path());
    if (!below.isEmpty()) {
      throw new PathRejectedException(
          "the directory \"%s\" exists and belongs to no volume, and the directory of %s lies in it: choose another pathPattern"
              .formatted(entry.path(), shown(below.getFirst(), entry.namespace())));
    }
    boolean adoptable =
        placement.adoptable()
            && !export.tree().exists(RelativePath.existing(entry.path() + "/.mooring"));
    if (!adoptable || !reuse && !entry.path().name().endsWith("-" + entry.volume())) {
      throw new PathRejectedException(
          "the directory \"%s\" of %s exists and belongs to no volume: move it away, or choose another pathPattern%s"
              .formatted(
                  entry.path(),
                  export,
                  adoptable
                      ? ", or set the class's parameter reuseRetained to \"true\" to adopt it"
                      : ""));
    }
  }

  /**
   * Returns the name for an event in a namespace, which must not name volumes of other namespaces.
   */
  private String shown(String volume, String namespace) throws IOException {
    return records.of(volume).filter(e -> e.namespace().equals(namespace)).isPresent()
        ? "volume " + volume
        : "a volume of another namespace";
  }
}
