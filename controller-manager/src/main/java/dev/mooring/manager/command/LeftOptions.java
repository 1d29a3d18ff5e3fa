package dev.mooring.manager.command;

import dev.mooring.binder.RecycleConfig;
import dev.mooring.manager.uninstall.UninstallConfig;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Mixin;

/** Where Mooring has left something: the flags of the run that did. */
final class LeftOptions {
  @Mixin private final ElectionOptions election = new ElectionOptions();
  @Mixin private final RecycleOptions recycling = new RecycleOptions();

  LeftOptions() {}

  UninstallConfig config(Set<String> givenBack, boolean forget) throws UsageException {
    UninstallConfig plain = config(election, recycling);
    return new UninstallConfig(plain.lease(), plain.recyclerNamespaces(), givenBack, forget);
  }

  /** Where a run with these flags leaves something. */
  static UninstallConfig config(ElectionOptions election, RecycleOptions recycling)
      throws UsageException {
    RecycleConfig recycle = recycling.config();
    return new UninstallConfig(
        election.lease(),
        new TreeSet<>(List.of(recycle.hostPath().namespace(), recycle.nfs().namespace())),
        Set.of(),
        false);
  }
}
