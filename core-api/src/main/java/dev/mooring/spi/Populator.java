package dev.mooring.spi;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fills new volumes with data of objects that claims name as {@code dataSourceRef}. The host
 * creates a second claim, the prime claim, with the same class and size in its own namespace. It
 * asks the populator to fill that claim's volume, and then moves the volume to the user's claim. No
 * pod of the user sees the volume before it is filled.
 *
 * <p>Threads: called from many threads, but never concurrently for the same claim. Idempotence: the
 * host repeats {@link #populate} until it returns {@link Progress.Filled} or the pod has succeeded,
 * also after a crash or in another process. Once the user's claim has the volume, the host never
 * calls {@link #populate} for that claim again.
 */
public interface Populator {
  /**
   * Returns the kinds that the populator serves. Read once, after {@link VolumePlugin#start}. The
   * host ignores PersistentVolumeClaim and VolumeSnapshot, which provisioners serve. If several
   * populators serve a kind, the one whose plugin's name comes first in the alphabet is called.
   */
  List<SourceKind> kinds();

  /**
   * Fills the volume of the prime claim, or continues to. The volume is provisioned, and no other
   * pod uses it. Must neither change nor delete the data source.
   *
   * <p>May block, at most for {@code --plugin-timeout}. If the work takes longer, return {@link
   * Progress.Running} and continue on a thread of the plugin, or return {@link Progress.RunPod}. On
   * a failure the host emits an event with its message and retries with back-off.
   */
  Attempt<Progress> populate(Request request);

  /**
   * Releases what the populator created for a claim elsewhere, for example an export of the source.
   * Called after the user's claim has the volume, and when the claim is deleted earlier; its pod
   * and prime claim no longer exist. May be called repeatedly, and for a claim without such
   * objects. Until it succeeds, the claim keeps the host's finalizer. Not called if the plugin is
   * not loaded at that time. Does nothing by default.
   */
  default Attempt<CleanedUp> cleanUp(CleanUpRequest request) {
    return Attempt.done(new CleanedUp());
  }

  /**
   * Kind of data sources; always namespaced. Hosts read its objects, which requires the right to
   * {@code get} them.
   *
   * @param group API group
   * @param version API version, for example {@code v1}
   * @param plural resource name in URLs, for example {@code disks}
   * @param kind name of the kind, for example {@code Disk}
   */
  record SourceKind(String group, String version, String plural, String kind) {
    /** Returns kind and group as kubectl writes them: {@code Disk.example.com}. */
    public String name() {
      return group.isEmpty() ? kind : kind + "." + group;
    }
  }

  /**
   * A data source, as the API server has it now. Its author may be an untrusted user: validate
   * every value that becomes part of a path, command or URL.
   *
   * @param key namespace and name
   * @param object the whole object as decoded JSON; numbers are Long or Double
   */
  record DataSource(SourceKind kind, ObjectKey key, Map<String, Object> object) {}

  /**
   * Volume to fill.
   *
   * @param claim the user's claim
   * @param dataSource the object that the claim names
   * @param primeClaim namespace and name of the prime claim, to which the volume is bound now
   * @param volumeName name of the PersistentVolume; the same in every call, unless a user deletes
   *     the prime claim
   * @param volume address of the volume
   * @param volumeMode Filesystem or Block
   * @param capacity size of the volume
   * @param className StorageClass of both claims
   */
  record Request(
      Provisioner.ClaimInfo claim,
      DataSource dataSource,
      ObjectKey primeClaim,
      String volumeName,
      VolumeSource volume,
      VolumeMode volumeMode,
      Quantity capacity,
      String className) {}

  /**
   * Claim whose population has ended.
   *
   * @param claim namespace and name of the user's claim
   * @param uid uid of the user's claim
   */
  record CleanUpRequest(ObjectKey claim, Uid uid) {}

  /** Answer that the populator has released everything of the claim. */
  record CleanedUp() {}

  /** State of the work for one volume. */
  sealed interface Progress {
    /** The volume is complete. The host now moves it to the user's claim. */
    record Filled() implements Progress {}

    /**
     * The work continues elsewhere.
     *
     * @param message what is happening, for logs
     * @param checkAfter delay until the host asks again, from one second to one hour
     */
    record Running(String message, Duration checkAfter) implements Progress {}

    /**
     * A pod must fill the volume. The host creates it, and waits until it has succeeded. It deletes
     * a failed pod and asks again after a back-off.
     *
     * @param pod metadata and spec as JSON of the API. The host sets name and namespace, adds the
     *     volume {@value #VOLUME} with the prime claim, and sets restartPolicy Never if there is
     *     none
     */
    record RunPod(Map<String, Object> pod) implements Progress {
      /** Name of the volume that the host adds to the pod. */
      public static final String VOLUME = "target";

      /**
       * Returns a pod with one container, which finds a file system or block device at the path.
       *
       * @param image image of the container
       * @param arguments arguments of the image's entry point
       * @param path path of the file system or device in the container
       * @param mode mode of the volume
       */
      public static RunPod of(String image, List<String> arguments, String path, VolumeMode mode) {
        Map<String, Object> place =
            mode == VolumeMode.BLOCK
                ? Map.of("volumeDevices", List.of(Map.of("name", VOLUME, "devicePath", path)))
                : Map.of("volumeMounts", List.of(Map.of("name", VOLUME, "mountPath", path)));
        Map<String, Object> container = new LinkedHashMap<>(place);
        container.put("name", "populate");
        container.put("image", image);
        container.put("args", List.copyOf(arguments));
        return new RunPod(Map.of("spec", Map.of("containers", List.of(container))));
      }
    }
  }
}
