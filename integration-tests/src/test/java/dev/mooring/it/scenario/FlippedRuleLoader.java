package dev.mooring.it.scenario;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Loads the controllers again, with one condition of one decider inverted. It plants bugs without a
 * hook in the product.
 */
final class FlippedRuleLoader extends URLClassLoader {
  private static final List<String> COPIED_PACKAGES =
      List.of(
          "dev.mooring.attachdetach.",
          "dev.mooring.binder.",
          "dev.mooring.csi.",
          "dev.mooring.expander.",
          "dev.mooring.it.scenario.",
          "dev.mooring.manager.",
          "dev.mooring.populator.",
          "dev.mooring.protection.",
          "dev.mooring.provisioner.",
          "dev.mooring.selinux.",
          "dev.mooring.snapshots.");

  private static final Map<Opcode, Opcode> INVERSE = new EnumMap<>(Opcode.class);

  static {
    addPair(Opcode.IFEQ, Opcode.IFNE);
    addPair(Opcode.IFLT, Opcode.IFGE);
    addPair(Opcode.IFGT, Opcode.IFLE);
    addPair(Opcode.IFNULL, Opcode.IFNONNULL);
    addPair(Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE);
    addPair(Opcode.IF_ICMPLT, Opcode.IF_ICMPGE);
    addPair(Opcode.IF_ICMPGT, Opcode.IF_ICMPLE);
    addPair(Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE);
  }

  private static void addPair(Opcode one, Opcode other) {
    INVERSE.put(one, other);
    INVERSE.put(other, one);
  }

  /**
   * A condition.
   *
   * @param type name of the class, without {@code dev.mooring.}
   * @param method all methods of that name
   * @param number position among the conditions of the method, from 0
   */
  record Condition(String type, String method, int number) {}

  private final Condition condition;
  private boolean isFlipped;

  FlippedRuleLoader(Condition condition) throws MalformedURLException {
    super(classPath(), FlippedRuleLoader.class.getClassLoader());
    this.condition = condition;
  }

  private static URL[] classPath() throws MalformedURLException {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String[] entries = path.split(File.pathSeparator);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < entries.length; i++) {
      urls[i] = Path.of(entries[i]).toUri().toURL();
    }
    return urls;
  }

  /** Returns whether the condition was found and inverted. */
  boolean isFlipped() {
    return isFlipped;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (COPIED_PACKAGES.stream().noneMatch(name::startsWith)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] code = in.readAllBytes();
      byte[] changed = name.equals("dev.mooring." + condition.type()) ? flip(code) : code;
      return defineClass(name, changed, 0, changed.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] flip(byte[] code) {
    ClassFile classFile = ClassFile.of();
    int[] count = {0};
    CodeTransform invert =
        (builder, element) -> {
          if (element instanceof BranchInstruction branch
              && INVERSE.containsKey(branch.opcode())
              && count[0]++ == condition.number()) {
            isFlipped = true;
            builder.branch(INVERSE.get(branch.opcode()), branch.target());
          } else {
            builder.with(element);
          }
        };
    return classFile.transformClass(
        classFile.parse(code),
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString(condition.method()), invert));
  }
}
