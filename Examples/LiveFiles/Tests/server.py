# SPDX-License-Identifier: MIT
"""Starts LiveFiles, and is a visitor of it over plain HTTP."""
import http.client, json, os, pathlib, re, resource, shutil, signal, socket, subprocess, sys, tempfile, threading, time
import urllib.parse

sys.dont_write_bytecode = True

passed = 0
def check(name, condition):
    global passed
    assert condition, name
    passed += 1
    print('ok', name, flush=True)

def summary(): print(f'{passed} passed, 0 failed')

def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]

class Server:
    """The program, with a folder of its own."""
    def __init__(self, program, **options):
        self.program, self.options = program, options
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.folder = self.work / 'root'
        self.folder.mkdir()
        self.database = self.work / 'marks.sqlite'
        self.port = free_port()
        self.process, self.log = None, []
    def start(self):
        # A signal for a limit of the size of files is ignored in this process, and in those that it starts.
        self.process = subprocess.Popen([self.program, '--folder', self.folder, '--port', str(self.port), '--database', self.database], restore_signals=False,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **self.options)
        for line in self.process.stderr:
            self.log.append(line)
            if 'listening' in line: break
        else: raise SystemExit('The server does not start: ' + ''.join(self.log))
        self.printed = self.process.stdout.readline()
        threading.Thread(target=lambda stream: self.log.extend(stream), args=[self.process.stderr], daemon=True).start()
        return self
    def kill(self):
        self.process.kill()
        self.process.wait()
    def close(self):
        if self.process: self.kill()
        shutil.rmtree(self.work, ignore_errors=True)
    def request(self, method, path, body=None, headers={}):
        client = http.client.HTTPConnection('127.0.0.1', self.port, timeout=30)
        try:
            client.request(method, path, body, headers)
            answer = client.getresponse()
            return answer.status, answer.read().decode()
        finally: client.close()
    def bytes(self, data):
        """What the server answers to bytes, whatever they are; empty if it closes the connection."""
        with socket.create_connection(('127.0.0.1', self.port), 90) as s:
            try:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                answer = b''
                while part := s.recv(65_536): answer += part
            except ConnectionError: return b''
            return answer
    def time(self):
        """Of the processors, in seconds."""
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
    def memory(self):
        """Resident, in MB."""
        return int(re.search(r'VmRSS:\s+(\d+)', pathlib.Path(f'/proc/{self.process.pid}/status').read_text())[1]) / 1000

class Line:
    """A line to the server that can be cut, or lose the answers."""
    def __init__(self, server):
        self.server, self.is_cut, self.loses_answers, self.sockets = server, False, False, []
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                if self.is_cut: raise ConnectionError
                far = socket.create_connection(('127.0.0.1', self.server.port))
            except OSError:
                near.close()
                continue
            self.sockets += near, far
            for pair in ((near, far, False), (far, near, True)): threading.Thread(target=self.forward, args=pair, daemon=True).start()
    def forward(self, source, target, is_answer):
        try:
            while data := source.recv(65_536):
                if not (is_answer and self.loses_answers): target.sendall(data)
        except OSError: pass
        for s in (source, target):
            try: s.shutdown(socket.SHUT_RDWR)
            except OSError: pass
    def cut(self, is_cut=True):
        self.is_cut, self.loses_answers, sockets, self.sockets = is_cut, False, self.sockets, []
        for s in sockets:
            try: s.shutdown(socket.SHUT_RDWR)
            except OSError: pass

class Visitor:
    """A page that was opened: the regions that its event stream has brought."""
    def __init__(self, server, path='/'):
        self.server = server
        status, self.html = server.request('GET', path)
        assert status == 200, (status, self.html)
        self.w = re.search('data-visitor="([^"]+)"', self.html)[1]
        self.token = re.search('name=token value="([^"]+)"', self.html)[1]
        self.regions, self.rows, self.received, self.stream = {}, [], 0, None
    def open(self):
        self.client = http.client.HTTPConnection('127.0.0.1', self.server.port, timeout=60)
        self.client.request('GET', f'/events?w={self.w}')
        self.stream = self.client.getresponse()
        assert self.stream.status == 200
        return self
    def close(self):
        self.stream.close()
        self.client.close()
    def until(self, condition):
        """Reads patches until the regions are as expected."""
        while not condition(self.regions):
            line = self.stream.readline()
            assert line, 'the stream has ended'
            self.received += len(line)
            if line.startswith(b'data: '): self.apply(json.loads(line[6:]))
        return True
    def apply(self, patch):
        """Regions by id: a row is 'r:' and its path. Rows are in order, too."""
        for id, html, *place in patch:
            if place:
                added = re.findall(r'<li id="(r:.*?)">(.*?)</li>', html, re.S)
                for id in self.rows[place[0]:sum(place)]: self.regions.pop(id, None)
                self.rows[place[0]:sum(place)] = [id for id, _ in added]
                self.regions.update(added)
            else: self.regions[id] = html
    def get(self, **location):
        query = urllib.parse.urlencode({'w': self.w, **location})
        return self.server.request('GET', '/?' + query)
    def visit(self, **location):
        query = urllib.parse.urlencode({'w': self.w, **location})
        return self.server.request('GET', '/?' + query, headers={'X-Live': '1'})[0]
    def do(self, command=None, **fields): return self.ask(command, **fields)[0]
    def ask(self, command=None, **fields):
        fields = {'w': self.w, 'token': self.token, **({'do': command} if command else {}), **fields}
        return self.server.request('POST', '/do', urllib.parse.urlencode(fields), {'X-Live': '1'})
