import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads javac's plugins once per build. javac creates a class loader per compilation, so that Error Prone and NullAway would be loaded, linked and
 * compiled for the sources and the tests of each module. {@code mooring test} adds this class to the boot class path of Maven, and javac finds it by
 * {@code -XDprocloader}. Without this class, javac uses its own class loader.
 */
public final class SharedProcessorLoader extends ClassLoader {
  private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  /** Called by javac. Is not closeable, so that javac leaves the shared loader open. */
  public SharedProcessorLoader(URL[] urls, ClassLoader parent) {
    super(LOADERS.computeIfAbsent(Arrays.stream(urls).map(URL::toExternalForm).toList(), _ -> new URLClassLoader(urls, parent)));
  }
}
