package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attacher.Detached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.Optional;
import java.util.Set;

/** Attaches and detaches volumes through VolumeAttachments or plugins. Thread-safe; blocks. */
public record AttachBackends(
    VolumeAttachments attachments, LoadedPlugins plugins, PluginAnswers answers) {
  // these types need no attach call; they only appear in node statuses
  private static final Set<String> WITHOUT_ATTACH_CALL =
      Set.of("kubernetes.io/iscsi", "kubernetes.io/fc");

  private static boolean isOfPlugin(VolumeId id) {
    return id.csi().isEmpty() && !WITHOUT_ATTACH_CALL.contains(id.plugin());
  }

  public boolean hasAttacher(VolumeId id) {
    return isOfPlugin(id) && findAttacher(id).isPresent();
  }

  public Optional<String> findObjection(VolumeId id) {
    if (!isOfPlugin(id)) {
      return Optional.empty();
    }
    if (findAttacher(id).isEmpty()) {
      return Optional.of(missingPluginMessage(id.plugin()));
    }
    return answers.hasAnswered(id)
        ? Optional.empty()
        : Optional.of(
            "plugin \""
                + id.plugin()
                + "\" has not answered yet which pods use its volumes: it was just loaded, or the call failed");
  }

  AttachCallResult<Attached> attach(AttachTarget target, String node) throws InterruptedException {
    Optional<VolumeId.Csi> csi = target.id().csi();
    if (csi.isPresent()) {
      return attachments.attach(target, csi.get(), node);
    }
    if (WITHOUT_ATTACH_CALL.contains(target.id().plugin())) {
      return new AttachCallResult.Answered<>(Attempt.done(new Attached("")));
    }
    return new AttachCallResult.Answered<>(
        findAttacher(target.id())
            .map(a -> a.attach(new Attacher.Request(target.id().name(), target.source(), node)))
            .orElseGet(() -> unreachable(target.id().plugin())));
  }

  AttachCallResult<Detached> detach(VolumeId id, String node, Runnable onRequestSent)
      throws InterruptedException {
    Optional<VolumeId.Csi> csi = id.csi();
    if (csi.isPresent()) {
      return attachments.detach(csi.get(), node, onRequestSent);
    }
    if (WITHOUT_ATTACH_CALL.contains(id.plugin())) {
      return new AttachCallResult.Answered<>(Attempt.done(new Detached()));
    }
    onRequestSent.run();
    return new AttachCallResult.Answered<>(
        findAttacher(id)
            .map(a -> a.detach(id.name(), node))
            .orElseGet(() -> unreachable(id.plugin())));
  }

  public Attempt<Set<String>> listAttached(String plugin, String node, Set<String> names) {
    if (WITHOUT_ATTACH_CALL.contains(plugin)) {
      return Attempt.done(names);
    }
    return findAttacher(VolumeId.of(plugin, ""))
        .map(a -> a.attached(node, names))
        .orElseGet(() -> unreachable(plugin));
  }

  private Optional<Attacher> findAttacher(VolumeId id) {
    return plugins.find(id.plugin()).flatMap(VolumePlugin::attacher);
  }

  private static <T> Attempt<T> unreachable(String plugin) {
    return new Attempt.Failed<>(new Failure.Unreachable(missingPluginMessage(plugin)));
  }

  private static String missingPluginMessage(String plugin) {
    return "no plugin \""
        + plugin
        + "\" that attaches volumes is loaded; put its jar into the plugin directory";
  }
}
