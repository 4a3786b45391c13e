import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;

/**
 * Byte Buddy under the name that Beam gave its own copy, which does not run on Java 17. The classes
 * are rewritten by the library that comes with it.
 */
final class Relocation extends Remapper {
  private static final String ITS_OWN = "net/bytebuddy/";
  private static final String BEAMS =
      "org/apache/beam/repackaged/beam_sdks_java_core/net/bytebuddy/";

  private Relocation() {}

  /** Writes them into a folder of classes, unless they are all there. */
  static void into(Path folder) throws IOException {
    String jar = ByteBuddy.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Path whole = folder.resolve(Path.of(jar).getFileName() + ".relocated");
    if (Files.exists(whole)) {
      return;
    }
    try (JarFile classes = new JarFile(jar)) {
      for (Enumeration<JarEntry> all = classes.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        String name = entry.getName();
        if (name.startsWith(ITS_OWN) && name.endsWith(".class")) {
          ClassWriter renamed = new ClassWriter(0);
          new ClassReader(classes.getInputStream(entry))
              .accept(new ClassRemapper(renamed, new Relocation()), 0);
          Path file = folder.resolve(renamed(name));
          Files.createDirectories(file.getParent());
          Files.write(file, renamed.toByteArray());
        }
      }
    }
    Files.createFile(whole);
  }

  @Override
  public String map(String internalName) {
    return renamed(internalName);
  }

  private static String renamed(String name) {
    return name.startsWith(ITS_OWN) ? BEAMS + name.substring(ITS_OWN.length()) : name;
  }
}
