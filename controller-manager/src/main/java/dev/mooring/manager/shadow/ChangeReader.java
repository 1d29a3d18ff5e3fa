package dev.mooring.manager.shadow;

import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import dev.mooring.manager.shadow.pairing.ObservedChange;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Translates changes of cached objects for the pairing. */
final class ChangeReader {
  private final SharedInformers informers;

  ChangeReader(SharedInformers informers) {
    this.informers = informers;
  }

  ObservedChange read(Kind<?> kind, Change<?> change) {
    Resource newest = change.object();
    Map<FactKey, String> before =
        switch (change) {
          case Change.Added<?> _ -> Map.of();
          case Change.Updated<?>(Resource old, Resource now) ->
              old.meta().uid().equals(now.meta().uid()) ? ObjectFacts.of(old) : Map.of();
          case Change.Deleted<?>(Resource last, _) -> ObjectFacts.of(last);
        };
    Map<FactKey, String> after =
        change instanceof Change.Deleted<?> ? Map.of() : ObjectFacts.of(newest);
    return new ObservedChange(
        kind.kind(),
        newest.key(),
        newest.meta().resourceVersion(),
        before,
        after,
        reconcileKeys(newest, before, after),
        newest instanceof Claim && !newest.meta().controller().isNone());
  }

  private Set<String> reconcileKeys(
      Resource object, Map<FactKey, String> before, Map<FactKey, String> after) {
    Set<String> keys = new TreeSet<>();
    switch (object) {
      case Attachment attachment -> keys.add(uniqueName(attachment));
      case Node _ -> {
        addVolumes(before, keys);
        addVolumes(after, keys);
      }
      case Claim claim when before.isEmpty() && !claim.meta().controller().isNone() ->
          addOwner(claim, keys);
      case Claim claim when after.isEmpty() && !claim.meta().controller().isNone() -> {
        addOwner(claim, keys);
        keys.add(claim.key().toString());
      }
      default -> keys.add(object.key().toString());
    }
    return keys;
  }

  private static void addVolumes(Map<FactKey, String> facts, Set<String> keys) {
    facts.keySet().stream()
        .map(FactKey::property)
        .forEach(property ->
            keys.add(property.substring(property.indexOf('[') + 1, property.length() - 1)));
  }

  private String uniqueName(Attachment attachment) {
    VolumeSource source =
        attachment.volumeName().isEmpty()
            ? attachment.inline().source()
            : informers
                .find(Kind.VOLUME)
                .flatMap(volumes -> volumes.get(ObjectKey.cluster(attachment.volumeName())))
                .map(Volume::source)
                .orElse(VolumeSource.NONE);
    return "kubernetes.io/csi/" + attachment.attacher() + "^" + source.attribute("volumeHandle");
  }

  // The claim's name is the pod's, a hyphen and the volume's.
  private void addOwner(Claim claim, Set<String> keys) {
    String name = claim.key().name();
    for (int end = name.indexOf('-'); end > 0; end = name.indexOf('-', end + 1)) {
      ObjectKey pod = ObjectKey.of(claim.key().namespace(), name.substring(0, end));
      if (isOwner(pod, claim)) {
        keys.add(pod.toString());
      }
    }
  }

  private boolean isOwner(ObjectKey pod, Claim claim) {
    @Nullable Resource found = informers.find(Kind.POD).flatMap(pods -> pods.get(pod)).orElse(null);
    return found != null && found.meta().uid().equals(claim.meta().controller());
  }
}
