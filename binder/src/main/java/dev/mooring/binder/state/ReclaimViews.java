package dev.mooring.binder.state;

import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.spi.Deleter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cached facts about volumes that are reclaimed. Thread-safe. */
public interface ReclaimViews {
  /**
   * Deleter of a volume.
   *
   * @param deleter the plugin's, if the verdict names a plugin
   * @param generation change counter of that plugin; null if there is none
   */
  record DeleterLookup(
      DeleterVerdict verdict, Optional<Deleter> deleter, @Nullable Long generation) {}

  RecycleView recycleView(Volume volume, ObjectKey recycler);

  /**
   * Returns the cached running pods with Mooring's name that scrub for any volume of that name,
   * also for a deleted one.
   */
  List<Pod> runningRecyclers(ObjectKey volume);

  /**
   * Returns whether a cached pod scrubs the storage of the volume, for this volume or another one.
   *
   * @param namespaces namespaces of recycler pods
   */
  boolean isScrubbed(Volume volume, Set<String> namespaces);

  List<Volume> twins(Volume volume);

  DeleterLookup findDeleter(Volume volume);

  /** Returns the provisioner of a class; "" if the class is unknown. */
  String provisionerOf(String className);
}
