import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.OutputStream;
import java.util.List;

/** Serves the MongoDB protocol from memory on 127.0.0.1. The argument is the port (0 for a free port); prints the port. */
class MongoServer {
  /** The newest version that the library defines is too old for the official driver. */
  static final MongoVersion VERSION = new MongoVersion() {
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    public int getWireVersion() {
      return 13;
    }
  };

  public static void main(String[] words) throws Exception {
    var server = new de.bwaldvogel.mongo.MongoServer(new MemoryBackend().version(VERSION));
    server.bind("127.0.0.1", Integer.parseInt(words[0]));
    System.out.println("port " + server.getLocalAddress().getPort());
    // Standard input ends when the parent process ends, even if it is killed.
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}
