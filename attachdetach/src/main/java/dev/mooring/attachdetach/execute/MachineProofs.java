package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.OutOfServiceCheck.Death;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.text.PlainText;
import java.util.Optional;

/**
 * Asks the plugins whose proofs cover whole machines. Thread-safe; blocks.
 *
 * @param plugins loaded plugins; may change
 */
public record MachineProofs(LoadedPlugins plugins) {
  public boolean canProve() {
    return plugins.outOfTree().stream().anyMatch(plugin -> findFencing(plugin).isPresent());
  }

  private static Optional<NodeFencing> findFencing(VolumePlugin plugin) {
    return plugin.fencing().filter(fencing -> fencing.scope() == NodeFencing.Scope.MACHINE);
  }

  public Optional<Death> findDeath(String node) {
    for (VolumePlugin plugin : plugins.outOfTree()) {
      Optional<NodeFencing> fencing = findFencing(plugin);
      if (fencing.isPresent()
          && fencing.get().assess(node) instanceof NodeFencing.Verdict.Dead(String evidence)) {
        return Optional.of(
            new Death(PlainText.filterLine(plugin.name()), PlainText.filterLine(evidence)));
      }
    }
    return Optional.empty();
  }
}
