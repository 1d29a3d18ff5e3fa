package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Views with given caches.
 *
 * @param recycler returns the cached pod of that name
 * @param cachedTwins returns the cached twins of any volume
 */
record GivenReclaimViews(
    LoadedPlugins plugins,
    Function<ObjectKey, @Nullable Pod> recycler,
    Supplier<List<Volume>> cachedTwins)
    implements ReclaimViews {
  @Override
  public RecycleView recycleView(Volume volume, ObjectKey key) {
    return new RecycleView(volume, List.of(), recycler.apply(key), RecycleView.PodRelation.NONE);
  }

  @Override
  public List<Pod> runningRecyclers(ObjectKey volume) {
    return List.of();
  }

  @Override
  public boolean isScrubbed(Volume volume, Set<String> namespaces) {
    return false;
  }

  @Override
  public List<Volume> twins(Volume volume) {
    return cachedTwins.get();
  }

  @Override
  public DeleterLookup findDeleter(Volume volume) {
    return new BinderViews(new SharedInformers()::of, plugins, BinderPolicy.DEFAULTS)
        .findDeleter(volume);
  }

  @Override
  public String provisionerOf(String className) {
    return "";
  }
}
