package dev.mooring.csi.decide;

import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import java.util.Optional;

/**
 * Contents that an instance of a driver serves.
 *
 * @param node node of the instance; empty if it serves all contents
 */
public record ContentScope(Optional<String> node) {
  public boolean includes(Resource content) {
    return node.isEmpty()
        || node.get().equals(content.meta().labels().get(SnapshotContent.MANAGED_BY));
  }
}
